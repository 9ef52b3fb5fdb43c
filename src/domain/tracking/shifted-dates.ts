/** Moving expected dates by hours: rules for the service that moves them, and for the page that shows before what would change. */

type Event = { date?: string | undefined; status?: string | undefined }

/** Whether the date is planned or estimated: it can be moved. */
export function isExpected<E extends Event>(event: E): event is E & { date: string } {
  return event.date !== undefined && (event.status === 'planned' || event.status === 'estimated')
}

/** The expected dates from that of an event on, whichever container they are of. */
export function expectedFrom<E extends Event>(events: E[], from: Event): (E & { date: string })[] {
  const start = Date.parse(from.date ?? '')
  return events.filter(isExpected).filter(({ date }) => Date.parse(date) >= start)
}

/** The date, with the UTC offset that it had. Undefined beyond the years that can be stored. */
export function shiftedDate(date: string, hours: number): string | undefined {
  const offset = /(?:Z|[+-]\d\d:\d\d)$/.exec(date)?.[0] ?? 'Z'
  const sign = offset.startsWith('-') ? -1 : 1
  const minutes = offset === 'Z' ? 0 : sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4)))
  const local = new Date(Date.parse(date) + (hours * 60 + minutes) * 60_000)
  const year = local.getUTCFullYear()
  // A day from either end, so that its UTC year is in range, too.
  if (!(year > 1 && year < 9999)) return undefined
  return `${local.toISOString().slice(0, 19)}${offset}`
}
