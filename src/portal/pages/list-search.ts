import { searchText } from '../paths.js'

/** What a list shows, as it stands in the address: text only. What means nothing is left out, and shows as not chosen. */

type Raw = Record<string, string>

export function readerOf(raw: Raw) {
  const text = (name: string, longest = 200) => raw[name]?.trim().slice(0, longest) || undefined
  return {
    text,
    oneOf: <Value extends string>(name: string, values: readonly Value[]) =>
      values.find((value) => value === text(name)),
    // In the order in which they are offered: an address reads the same, whichever was chosen first.
    several: (name: string, values: readonly string[]) => severalOf(values, text(name)?.split(',') ?? []),
  }
}

export function severalOf(values: readonly string[], chosen: string[]): string | undefined {
  return values.filter((value) => chosen.includes(value)).join(',') || undefined
}

export function listed(text: string | undefined): string[] {
  return text?.split(',') ?? []
}

type Blankable<Search> = { [Name in keyof Search]: Search[Name] | undefined }

export function withoutBlanks<Search extends object>(search: Blankable<Search>): Search {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Search
}

/** Two searches that show the same have the same text; the saved view that it began as is no part of it. */
export function queryTextOf(search: object): string {
  return searchText({ ...search, view: undefined }).replace(/^\?/, '')
}

/** Whether it leaves anything out: an order, and how it is laid out, do not. */
export function isNarrowed(search: object): boolean {
  const { sort: _sort, order: _order, view: _view, by: _by, ...filters } = search as Raw
  return Object.keys(filters).length > 0
}
