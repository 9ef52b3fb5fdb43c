/** Where this person's values and those that somebody else saved meanwhile differ. */

export type Difference<Name extends string> = { text: Name; mine: string; theirs: string; isMine: boolean }

/** What only one of them changed is kept. */
export function differencesBetween<Name extends string>(
  names: readonly Name[],
  base: Record<Name, string>,
  mine: Record<Name, string>,
  theirs: Record<Name, string>,
): Difference<Name>[] {
  return names
    .map((text) => ({
      text,
      mine: mine[text].trim(),
      theirs: theirs[text],
      isMine: mine[text].trim() !== base[text] && theirs[text] === base[text],
    }))
    .filter((each) => each.mine !== each.theirs)
}

/** The values that are stored now, with the own ones of the chosen fields. */
export function withOwn<Name extends string>(
  theirs: Record<Name, string>,
  differences: Difference<Name>[],
  own: ReadonlySet<string>,
): Record<Name, string> {
  const chosen = { ...theirs }
  for (const { text, mine } of differences) if (own.has(text)) chosen[text] = mine
  return chosen
}
