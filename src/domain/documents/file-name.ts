const longest = 255

/** A file name as it is stored: without folders and control characters, and not too long. */
export function cleanFileName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? ''
  const name = last.replaceAll(/\p{Cc}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '').trim()
  const characters = Array.from(name)
  if (characters.length <= longest) return name
  // The extension is kept, the rest is truncated.
  const extension = Array.from(/\.[^.]{1,20}$/.exec(name)?.[0] ?? '')
  return [...characters.slice(0, longest - extension.length), ...extension].join('')
}

// Device names on Windows.
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** A file name that is valid on every system. */
export function plainFileName(given: string): string {
  const name = given
    .replaceAll(/[/\\:*?"<>|\p{Cc}]/gu, '-')
    .replaceAll(/[\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[. ]+$/, '')
  if (name === '') return '-'
  return reserved.test(name) ? `_${name}` : name
}
