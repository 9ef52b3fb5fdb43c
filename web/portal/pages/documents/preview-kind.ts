import { extensionOf } from '../../../../src/domain/documents/media-type.js'

const pictures = new Set(['png', 'jpg', 'jpeg', 'gif', 'webp'])

/** Whether a browser can show a file, by its extension. The server also checks the content, and sends a download if it differs. */
export function previewKindOf(name: string): 'pdf' | 'picture' | undefined {
  const extension = extensionOf(name)
  if (extension === 'pdf') return 'pdf'
  return pictures.has(extension) ? 'picture' : undefined
}
