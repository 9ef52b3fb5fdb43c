import type { Random } from '../../src/sandbox/random.js'

/** Generates a text that matches a pattern: supports groups, choices, classes and counts. */
export function textMatching(pattern: string, random: Random, { least = 0, most = 60 } = {}): string {
  const matches = new RegExp(pattern, 'u')
  const make = textMaker(pattern, random, least)
  for (let tries = 0; tries < 100; tries += 1) {
    const text = make()
    if (text.length >= least && text.length <= most && matches.test(text)) return text
  }
  throw new Error(`no text was found that ${pattern} matches`)
}

type Make = () => string

const digits = between('0', '9')
const letters = [...between('a', 'z'), ...between('A', 'Z'), ...digits]
const escapes: Record<string, string[]> = {
  w: [...letters, '_'],
  d: digits,
  s: [' '],
}

function textMaker(pattern: string, random: Random, least: number): Make {
  let at = 0
  const peek = () => pattern.charAt(at)
  const next = () => pattern.charAt(at++)

  function choices(): Make {
    const all = [sequence()]
    while (peek() === '|') {
      next()
      all.push(sequence())
    }
    return () => random.pick(all)()
  }

  function sequence(): Make {
    const parts: Make[] = []
    while (at < pattern.length && peek() !== '|' && peek() !== ')') parts.push(counted(atom()))
    return () => parts.map((part) => part()).join('')
  }

  function atom(): Make {
    const character = next()
    if (character === '^' || character === '$') return () => ''
    if (character === '(') {
      if (pattern.startsWith('?:', at)) at += 2
      const inner = choices()
      next()
      return inner
    }
    if (character === '[') return oneOf(classMembers())
    if (character === '\\') return oneOf(escapes[peek()] ? (escapes[next()] as string[]) : [next()])
    return () => character
  }

  function classMembers(): string[] {
    const isNegated = peek() === '^'
    if (isNegated) next()
    const members: string[] = []
    while (peek() !== ']') {
      const character = next()
      if (character === '\\') {
        const escaped = next()
        members.push(...(escapes[escaped] ?? [escaped]))
      } else if (peek() === '-' && pattern.charAt(at + 1) !== ']') {
        next()
        members.push(...between(character, next()))
      } else members.push(character)
    }
    next()
    return isNegated ? letters.filter((letter) => !members.includes(letter)) : members
  }

  function counted(make: Make): Make {
    const [fewest, most] = counts()
    return () => Array.from({ length: random.integer(fewest, most) }, make).join('')
  }

  function counts(): [number, number] {
    // Else hardly a text would be as long as it has to be.
    const many = Math.max(2 * least, 8)
    const counter = peek()
    if (counter === '*' || counter === '+' || counter === '?') {
      next()
      return counter === '?' ? [0, 1] : [counter === '*' ? 0 : 1, counter === '*' ? 2 : many]
    }
    if (counter !== '{') return [1, 1]
    const end = pattern.indexOf('}', at)
    const [fewest = '', most = fewest] = pattern.slice(at + 1, end).split(',')
    at = end + 1
    const highest = most === '' ? Number(fewest) + many : Number(most)
    return [Number(fewest), Math.min(highest, Number(fewest) + many)]
  }

  const oneOf = (members: string[]) => () => random.pick(members)
  return choices()
}

function between(first: string, last: string): string[] {
  const start = first.charCodeAt(0)
  return Array.from({ length: last.charCodeAt(0) - start + 1 }, (_, index) => String.fromCharCode(start + index))
}
