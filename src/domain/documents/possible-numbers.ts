import { normalReference } from '../messages/references.js'

/** Words of a text that may be a reference of a shipment, as references are compared. */

const shortest = 4
// A long text has many words that look like numbers.
const shortestInText = 6
const longest = 64
// Of a page that is full there are a thousand.
const mostWords = 20_000

const container = /\b([A-Z]{3}[UJZ])[\s-]{0,3}(\d{6})[\s/-]{0,3}(\d)\b/gi

/** In the order of the text: numbers of containers first, which may be written in groups. */
export function possibleNumbers(text: string, from: 'name' | 'content', most: number): string[] {
  const least = from === 'name' ? shortest : shortestInText
  const found = new Set<string>()
  const add = (part: string) => {
    const number = normalReference(part)
    if (number.length >= least && number.length <= longest && isNumber(number) && found.size < most) found.add(number)
  }
  for (const [written] of text.matchAll(container)) add(written)
  const words = text.split(/[\s_,;:()[\]"'|#]+/, mostWords)
  for (const [index, word] of words.entries()) {
    if (found.size >= most) break
    const next = words[index + 1] ?? ''
    if (word.length > longest) continue
    if (/\d/.test(word)) {
      add(word)
      for (const part of word.split(/[./+=-]+/)) add(part)
    }
    // "PO 4711" and "020 12345675" are one number.
    if (next.length <= longest && /\d/.test(next)) add(word + next)
  }
  return [...found]
}

function isNumber(text: string): boolean {
  return /\d/.test(text) && !/^(?:19|20)\d\d$/.test(text)
}
