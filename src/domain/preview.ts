/** What a browser may show inside a page: pictures and PDFs, told by how their bytes begin, whatever they are called. */

export const previewTypes = ['application/pdf', 'image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const
export type PreviewType = (typeof previewTypes)[number]

/** So many bytes tell what it is. */
export const previewMarkLength = 12

// A full stop stands for any byte.
const marks: [PreviewType, string][] = [
  ['application/pdf', '%PDF-'],
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'RIFF....WEBP'],
]

export function previewTypeOf(beginning: Uint8Array): PreviewType | undefined {
  return marks.find(([, mark]) => isMarked(beginning, mark))?.[0]
}

function isMarked(beginning: Uint8Array, mark: string): boolean {
  return Array.from(mark).every((letter, index) => letter === '.' || letter.charCodeAt(0) === beginning[index])
}
