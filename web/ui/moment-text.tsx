import { useMemo } from 'react'
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

export function useMoments(): Record<Look, (at: string) => string> {
  const { locale, zone } = useFormat()
  const { justNow } = useMessages().common
  return useMemo(() => {
    const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
    const day = new Intl.DateTimeFormat(locale, { timeZone: zone, day: 'numeric', month: 'short', year: 'numeric' })
    const second = new Intl.DateTimeFormat(locale, {
      timeZone: zone,
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
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
  }, [locale, zone, justNow])
}
