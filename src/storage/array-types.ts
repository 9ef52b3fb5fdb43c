/**
 * Arrays of those types that statements use. The driver would ask each server for all that it has, on every connection that
 * it makes; and if that connection is lost meanwhile, the process ends.
 */
export const arrayTypes = {
  booleanArray: arrayType(1000, (text) => text === 't'),
  integerArray: arrayType(1007, Number),
  textArray: arrayType(1009, String),
  bigintArray: arrayType(1016, Number),
  inetArray: arrayType(1041, String),
  uuidArray: arrayType(2951, String),
}

type Item = string | number | boolean | null

function arrayType<Read extends Item>(type: number, read: (text: string) => Read) {
  return { to: type, from: [type], serialize: writeArray, parse: (text: string) => readArray(text, read) }
}

/** What is text already stays as it is. */
function writeArray(items: Item[] | string): string {
  return typeof items === 'string' ? items : `{${items.map(writeItem).join(',')}}`
}

function writeItem(item: Item): string {
  return item === null ? 'null' : `"${String(item).replaceAll(/["\\]/g, '\\$&')}"`
}

// An item stands in quotes, with backslashes before what would end it, or is a plain word.
const items = /"((?:[^"\\]|\\.)*)"|[^{},]+/gs

function readArray<Read>(text: string, read: (text: string) => Read): (Read | null)[] {
  return [...text.matchAll(items)].map(([word, quoted]) => {
    if (quoted !== undefined) return read(quoted.replaceAll(/\\(.)/gs, '$1'))
    return word === 'NULL' ? null : read(word)
  })
}
