import type { Intake, StoredContent } from '../documents/document-files.js'

/** A file of a multipart form: its bytes stay in the intake until the write keeps them. */
export type Upload = StoredContent & { name: string; intake: Intake }
