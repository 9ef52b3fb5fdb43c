const longest = 255

/** A file name as it is kept: without folders, without what cannot be printed, and not too long. */
export function cleanFileName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? ''
  const name = last.replaceAll(/\p{Cc}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '').trim()
  const characters = Array.from(name)
  if (characters.length <= longest) return name
  // The extension says what it is: the rest is shortened.
  const extension = Array.from(/\.[^.]{1,20}$/.exec(name)?.[0] ?? '')
  return [...characters.slice(0, longest - extension.length), ...extension].join('')
}
