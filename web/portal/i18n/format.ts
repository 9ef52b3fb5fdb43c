import { type Format, formatFor } from './formats.js'
import { useReader } from './messages.js'

export type { Format } from './formats.js'

const made = new Map<string, Format>()

/** Formats for the reader's language, time zone and units. */
export function useFormat(): Format {
  const { language, timeZone, weightUnit } = useReader()
  const key = `${language} ${timeZone} ${weightUnit}`
  const known = made.get(key) ?? formatFor({ language, timeZone, weightUnit })
  made.set(key, known)
  return known
}
