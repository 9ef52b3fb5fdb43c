import type { ImportLine } from '../../contract/import-line.js'

export type LineWithContent = Extract<ImportLine, { kind: 'document' | 'document_proposal' | 'message_file' }>
type WithoutContent<Line> = Line extends LineWithContent
  ? { kind: Line['kind']; data: Omit<Line['data'], 'content_base64' | 'file'> }
  : never

/** A line with a file, whose content is still to be stored. */
export type GivenDocument = WithoutContent<LineWithContent> & {
  account: string
  stored_at: string | undefined
  /** Either its bytes, or the path of a file. */
  content?: Buffer
  file?: string | undefined
}
