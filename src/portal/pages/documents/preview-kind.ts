import { extensionOf } from '../../../domain/media-type.js'

const pictures = new Set(['png', 'jpg', 'jpeg', 'gif', 'webp'])

/** What a browser can show of a file, by its name; the service looks at its bytes, too, and sends it to be kept if they differ. */
export function previewKindOf(name: string): 'pdf' | 'picture' | undefined {
  const extension = extensionOf(name)
  if (extension === 'pdf') return 'pdf'
  return pictures.has(extension) ? 'picture' : undefined
}
