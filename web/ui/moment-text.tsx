import { useFormat } from '../portal/i18n/format.js'
import { useMessages } from '../portal/i18n/messages.js'
import { presentTime } from './clock.js'

type Look = 'ago' | 'day' | 'second'
type Props = {
  /** A time without a place, shown in the reader's time zone. */
  at: string | undefined
  look: Look
  /** Shown if there is no time. */
  none?: string
}

/** A time as a duration, a day or to the second; the exact time on hover. */
export function MomentText({ at, look, none = '–' }: Props) {
  const f = useFormat()
  const formats = useMoments()
  if (at === undefined) return <span className="soft">{none}</span>
  return (
    <time dateTime={at} title={f.dateTime(at, f.zone)} className="nowrap">
      {formats[look](at)}
    </time>
  )
}

const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

type Formats = { relative: Intl.RelativeTimeFormat; day: Intl.DateTimeFormat; second: Intl.DateTimeFormat }

const made = new Map<string, Formats>()

// Once for all rows of a table: creating them takes longer than rendering a row.
function formatsOf(locale: string, zone: string): Formats {
  const key = `${locale} ${zone}`
  const known = made.get(key)
  if (known) return known
  const monthDay = { timeZone: zone, day: 'numeric', month: 'short' } as const
  const formats = {
    relative: new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }),
    day: new Intl.DateTimeFormat(locale, { ...monthDay, year: 'numeric' }),
    second: new Intl.DateTimeFormat(locale, { ...monthDay, hour: '2-digit', minute: '2-digit', second: '2-digit' }),
  }
  made.set(key, formats)
  return formats
}

export function useMoments(): Record<Look, (at: string) => string> {
  const { locale, zone } = useFormat()
  const { justNow } = useMessages().common
  const { relative, day, second } = formatsOf(locale, zone)
  return {
    ago(at) {
      const seconds = (Date.parse(at) - presentTime()) / 1000
      if (Math.abs(seconds) < 60) return justNow
      const [unit, length] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? ['minute', 60]
      return relative.format(Math.trunc(seconds / length), unit)
    },
    day: (at) => day.format(new Date(at)),
    second: (at) => second.format(new Date(at)),
  }
}
