import type { MessagePerson } from '../../../src/contract/public/message.js'

/** Mentions in the text of a message: `@` and the name of a person. */

export type Typed = { from: number; people: MessagePerson[] }

const mostSuggested = 6

/** Whom the `@` before the caret may mean. */
export function mentionAt(text: string, caret: number, people: MessagePerson[]): Typed | undefined {
  const before = /(?:^|\s)@([^\n@]{0,40})$/.exec(text.slice(0, caret))
  const name = before?.[1]
  if (name === undefined) return undefined
  const wanted = name.toLowerCase()
  const found = people.filter((person) =>
    person.name
      .toLowerCase()
      .split(/\s+/)
      .some((word) => word.startsWith(wanted)),
  )
  const whole = people.filter((person) => person.name.toLowerCase().startsWith(wanted))
  const suggested = [...new Set([...whole, ...found])].slice(0, mostSuggested)
  return suggested.length === 0 ? undefined : { from: caret - name.length - 1, people: suggested }
}

/** The text with the name instead of what was typed of it, and where the caret is then. */
export function mention(text: string, { from }: Typed, caret: number, { name }: MessagePerson) {
  const inserted = `@${name} `
  return { text: text.slice(0, from) + inserted + text.slice(caret), caret: from + inserted.length }
}

/** Chosen people whose names are still in the text. */
export function stillMentioned(text: string, chosen: MessagePerson[]): string[] {
  const ids = chosen.filter(({ name }) => text.includes(`@${name}`)).map(({ person_id }) => person_id)
  return [...new Set(ids)]
}
