/** The types that a browser may display in a page: images and PDFs, recognised by their content, not by their name. */

export const previewTypes = ['application/pdf', 'image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const
export type PreviewType = (typeof previewTypes)[number]

/** The number of bytes needed to recognise the type. */
export const previewMarkLength = 12

// A dot matches any byte.
const signatures: [PreviewType, string][] = [
  ['application/pdf', '%PDF-'],
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'RIFF....WEBP'],
]

export function previewTypeOf(start: Uint8Array): PreviewType | undefined {
  return signatures.find(([, signature]) => hasSignature(start, signature))?.[0]
}

function hasSignature(start: Uint8Array, signature: string): boolean {
  return Array.from(signature).every((letter, index) => letter === '.' || letter.charCodeAt(0) === start[index])
}
