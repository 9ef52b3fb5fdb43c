import { Refusal } from './refusals.js'

// Twenty thousand order lines. Parsing and validating that many values takes less than 100 ms.
const maxValues = 100_000
// No schema has a tenth of that. Parsing an object with 400,000 fields takes half a second and 75 MB.
const maxFields = 1000
// A shorter body cannot have too many values, and its fields are too few to matter.
const minBytes = 64 * 1024

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/**
 * Refuses JSON with too many values in total, or too many fields in an object, before it is parsed. Whether it is valid is
 * left to the parser.
 */
export function refuseCounts(json: Uint8Array): void {
  if (json.length < minBytes) return
  let values = 0
  // The fields of each open object; arrays count as well, without a limit of their own.
  const open: { isObject: boolean; fields: number }[] = []
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index]
    if (byte === quote) {
      index = endOfString(json, index)
    } else if (byte === openBrace || byte === openBracket) {
      open.push({ isObject: byte === openBrace, fields: 1 })
      values += 1
    } else if (byte === closeBrace || byte === closeBracket) {
      open.pop()
    } else if (byte === comma) {
      values += 1
      const container = open.at(-1)
      if (container?.isObject && ++container.fields > maxFields)
        throw new Refusal('payload_too_large', `An object of the body has more than ${maxFields} fields.`)
    }
    if (values > maxValues) throw new Refusal('payload_too_large', `The body has more than ${maxValues} values.`)
  }
}

/** The index of the closing quote. */
function endOfString(json: Uint8Array, start: number): number {
  let index = start + 1
  while (index < json.length && json[index] !== quote) index += json[index] === backslash ? 2 : 1
  return index
}
