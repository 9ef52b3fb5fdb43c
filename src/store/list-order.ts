/**
 * The sort key of a date in lists that are sorted newest first: its negated microseconds. Computed here because PostgreSQL
 * does not accept every UTC offset that RFC 3339 allows. Null: the resource is sorted by when it was first stored.
 */
export function newestFirst(date: string | undefined): string | null {
  if (date === undefined) return null
  const [, fraction = ''] = /\.(\d+)/.exec(date) ?? []
  const seconds = BigInt(Date.parse(date.replace(/\.\d+/, ''))) / 1000n
  const microseconds = BigInt(fraction.padEnd(6, '0').slice(0, 6))
  return String(-(seconds * 1_000_000n + microseconds))
}

/** The inverse of `newestFirst`: the instant in UTC. */
export function creationInstant(newest_first: string): string {
  const microseconds = -BigInt(newest_first)
  const fraction = ((microseconds % 1_000_000n) + 1_000_000n) % 1_000_000n
  const seconds = (microseconds - fraction) / 1_000_000n
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19)
  return `${whole}.${String(fraction).padStart(6, '0')}Z`
}
