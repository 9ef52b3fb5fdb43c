import { type Format, formatFor } from './formats.js'
import { useReader } from './messages.js'

export type { Format } from './formats.js'

const made = new Map<string, Format>()

/** Dates, numbers and money as the reader writes them. */
export function useFormat(): Format {
  const { language, timeZone, weightUnit } = useReader()
  const key = `${language} ${timeZone} ${weightUnit}`
  const known = made.get(key) ?? formatFor({ language, timeZone, weightUnit })
  made.set(key, known)
  return known
}
