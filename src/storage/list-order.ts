/**
 * Where a date puts its resource in a list that is sorted newest first: minus its microseconds. Computed here,
 * because PostgreSQL does not take every offset that RFC 3339 allows. Null: by when it was first stored.
 */
export function newestFirst(date: string | undefined): string | null {
  if (date === undefined) return null
  const [, fraction = ''] = /\.(\d+)/.exec(date) ?? []
  const seconds = BigInt(Date.parse(date.replace(/\.\d+/, ''))) / 1000n
  const microseconds = BigInt(fraction.padEnd(6, '0').slice(0, 6))
  return String(-(seconds * 1_000_000n + microseconds))
}

/** The instant of a place in a list, in UTC: what `newestFirst` made of it, undone. */
export function instantOf(newest_first: string): string {
  const microseconds = -BigInt(newest_first)
  const fraction = ((microseconds % 1_000_000n) + 1_000_000n) % 1_000_000n
  const seconds = (microseconds - fraction) / 1_000_000n
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19)
  return `${whole}.${String(fraction).padStart(6, '0')}Z`
}
