import { extname } from 'node:path'
import type { Fault } from '../contract/refusals.js'
import { readCompoundKind } from './compound-file.js'
import { readText } from './text-content.js'

/** Recognises the type of a file: its extension and content must match, and it must be an accepted document format. */

type AcceptedKind = {
  media_type: string
  /** The recognised types that match the extension. */
  contents: string[]
}

// Text formats cannot be distinguished by their content, but some have a typical beginning.
const anyText = /^/
const textKinds: Record<string, { media_type: string; beginning: RegExp }> = {
  csv: { media_type: 'text/csv', beginning: anyText },
  txt: { media_type: 'text/plain', beginning: anyText },
  edi: { media_type: 'application/edi-consent', beginning: anyText },
  xml: { media_type: 'application/xml', beginning: /^\s*</ },
  json: { media_type: 'application/json', beginning: /^\s*(?:[[{"\d-]|true|false|null)/ },
  eml: { media_type: 'message/rfc822', beginning: /^(?:From |[A-Za-z][A-Za-z\d-]*:)/ },
}

const office = 'application/vnd.openxmlformats-officedocument'
const otherKinds: Record<string, AcceptedKind> = {
  pdf: { media_type: 'application/pdf', contents: ['pdf'] },
  png: { media_type: 'image/png', contents: ['png', 'apng'] },
  jpg: { media_type: 'image/jpeg', contents: ['jpg'] },
  jpeg: { media_type: 'image/jpeg', contents: ['jpg'] },
  gif: { media_type: 'image/gif', contents: ['gif'] },
  webp: { media_type: 'image/webp', contents: ['webp'] },
  tif: { media_type: 'image/tiff', contents: ['tif'] },
  tiff: { media_type: 'image/tiff', contents: ['tif'] },
  heic: { media_type: 'image/heic', contents: ['heic'] },
  docx: { media_type: `${office}.wordprocessingml.document`, contents: ['docx'] },
  xlsx: { media_type: `${office}.spreadsheetml.sheet`, contents: ['xlsx'] },
  pptx: { media_type: `${office}.presentationml.presentation`, contents: ['pptx'] },
  doc: { media_type: 'application/msword', contents: ['doc'] },
  xls: { media_type: 'application/vnd.ms-excel', contents: ['xls'] },
  ppt: { media_type: 'application/vnd.ms-powerpoint', contents: ['ppt'] },
  msg: { media_type: 'application/vnd.ms-outlook', contents: ['msg'] },
  odt: { media_type: 'application/vnd.oasis.opendocument.text', contents: ['odt'] },
  ods: { media_type: 'application/vnd.oasis.opendocument.spreadsheet', contents: ['ods'] },
  rtf: { media_type: 'application/rtf', contents: ['rtf'] },
  zip: { media_type: 'application/zip', contents: ['zip'] },
}

const accepted = [...Object.keys(otherKinds), ...Object.keys(textKinds)].join(', ')

/** The media type of a file, or why it is not accepted. */
export async function checkFileType(path: string, name: string): Promise<{ media_type: string } | Fault> {
  const extension = extname(name).slice(1).toLowerCase()
  const found = await recognise(path, extension)
  const textKind = ownValue(textKinds, extension)
  if (textKind && found.text !== undefined && textKind.beginning.test(found.text)) {
    return { media_type: textKind.media_type }
  }
  const otherKind = ownValue(otherKinds, extension)
  if (otherKind?.contents.includes(found.kind)) return { media_type: otherKind.media_type }
  const named = extension === '' ? 'has no extension' : `says ${extension}`
  const remedy = textKind || otherKind ? '' : `; accepted are ${accepted}`
  return { pointer: '/file', detail: `the content is ${found.label}, but the name ${named}${remedy}` }
}

// An extension may be called "constructor".
function ownValue<Value>(table: Record<string, Value>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

/** `text`: the beginning of a plain text. */
type Recognised = { kind: string; label: string; text?: string }

// Formats that may consist of text only. The signatures of other formats may occur in plain text.
const writtenAsText = new Set(['pdf', 'rtf', 'ps', 'eps'])

async function recognise(path: string, extension: string): Promise<Recognised> {
  const text = await readText(path, extension)
  // Loaded with the first upload, to start the service faster.
  const { fileTypeFromFile } = await import('file-type')
  const type = await fileTypeFromFile(path)
  if (text !== undefined && !(type && writtenAsText.has(type.ext))) {
    if (text.script) return { kind: 'script', label: text.script }
    return { kind: 'text', label: text.beginning === '' ? 'empty' : 'text', text: text.beginning }
  }
  if (!type) return { kind: 'unknown', label: 'not of a known kind' }
  if (type.ext !== 'cfb') return { kind: type.ext, label: labels[type.ext] ?? `${type.ext} (${type.mime})` }
  const kind = await readCompoundKind(path)
  return { kind, label: labels[kind] ?? kind }
}

const labels: Record<string, string> = {
  exe: 'a program for Windows',
  elf: 'a program for Linux',
  macho: 'a program for macOS',
  msi: 'an installer for Windows',
  encrypted: 'an Office file with a password',
  compound: 'a compound file of no known kind',
}
