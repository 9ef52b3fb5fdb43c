/** iCalendar (RFC 5545): what calendar programs subscribe to. */

export type CalendarEvent = {
  uid: string
  /** `YYYY-MM-DD`: the event takes the whole day. */
  day: string
  summary: string
  description: string
  url: string
  /** Rises with every change. */
  sequence: number
  changedAt: Date
  isCancelled: boolean
}

/** The lines of a calendar, each with its end. */
export function* icalendarLines(name: string, events: readonly CalendarEvent[]): Generator<string> {
  const head = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Waybill//Calendar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
  ]
  for (const line of head) yield `${folded(line)}\r\n`
  for (const event of events) for (const line of linesOf(event)) yield `${folded(line)}\r\n`
  yield 'END:VCALENDAR\r\n'
}

function linesOf(event: CalendarEvent): string[] {
  const changedAt = utc(event.changedAt)
  return [
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    // The time of the change rather than of the request: equal calendars are equal byte by byte.
    `DTSTAMP:${changedAt}`,
    `LAST-MODIFIED:${changedAt}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTART;VALUE=DATE:${event.day.replaceAll('-', '')}`,
    `SUMMARY:${escaped(event.summary)}`,
    `DESCRIPTION:${escaped(event.description)}`,
    `URL:${event.url}`,
    `STATUS:${event.isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    // A day with an arrival is not a day on which its reader is busy.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

function utc(time: Date): string {
  return time.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
}

function escaped(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    .replaceAll(controlCharacters, ' ')
}

const controlCharacters = /\p{Cc}/gu
const longestLine = 75

/** Lines have at most 75 bytes; the rest follows on lines that begin with a space. */
function folded(line: string): string {
  // A character takes three bytes of UTF-8 for each of its units at most.
  if (line.length * 3 <= longestLine) return line
  const lines: string[] = []
  let current = ''
  let bytes = 0
  for (const character of line) {
    const size = bytesOf(character.codePointAt(0) as number)
    if (bytes + size > longestLine) {
      lines.push(current)
      current = ' '
      bytes = 1
    }
    current += character
    bytes += size
  }
  return [...lines, current].join('\r\n')
}

/** In UTF-8. */
function bytesOf(codePoint: number): number {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x8_00) return 2
  return codePoint < 0x1_00_00 ? 3 : 4
}
