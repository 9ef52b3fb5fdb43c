/** Parses the filters of a list from the query parameters. Invalid values are ignored. */

type Raw = Record<string, string>

export function readerOf(raw: Raw) {
  const text = (name: string, longest = 200) => raw[name]?.trim().slice(0, longest) || undefined
  return {
    text,
    oneOf: <Value extends string>(name: string, values: readonly Value[]) =>
      values.find((value) => value === text(name)),
    // In the order of the options, so that equal selections have equal addresses.
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
