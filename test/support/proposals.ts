import { binaryFiles } from './sample-files.js'

type File = { name: string; bytes: Buffer | Uint8Array }

const pdf: File = { name: 'packing list.pdf', bytes: binaryFiles.pdf as Buffer }

/** The form of a proposed document. */
export function proposalForm(fields: Record<string, string> = {}, { name, bytes }: File = pdf): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', new Blob([Uint8Array.from(bytes)]), name)
  return form
}
