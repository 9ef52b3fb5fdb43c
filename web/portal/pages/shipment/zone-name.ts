import { presentDate } from '../../../ui/clock.js'

/** The name of a time zone: "China Time", « heure de Chine »; its UTC offset if the zone is unknown. */
export function zoneName(zone: string | undefined, date: string | undefined, locale: string): string | undefined {
  if (zone === undefined) return offsetOf(date)
  try {
    const format = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'longGeneric' })
    return format.formatToParts(date ? new Date(date) : presentDate()).find(({ type }) => type === 'timeZoneName')
      ?.value
  } catch {
    // Unknown to this browser.
    return offsetOf(date)
  }
}

function offsetOf(date: string | undefined): string | undefined {
  if (date === undefined || date.length === 10) return undefined
  const offset = /[+-]\d\d:\d\d$/.exec(date)?.[0]
  return offset === undefined || offset.endsWith('00:00') ? 'UTC' : `UTC${offset.replace('-', '−')}`
}
