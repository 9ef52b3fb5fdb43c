import { extname } from 'node:path'
import type { Fault } from '../contract/refusals.js'
import { readCompoundKind } from './compound-file.js'
import { readText } from './text-content.js'

/** What a file is: its name and its content must say the same, and it must be something that people send as a paper. */

type AcceptedKind = {
  media_type: string
  /** What the content may be recognised as. */
  contents: string[]
}

// Kinds of text all look alike: where one has a beginning of its own, it must have that.
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

/**
 * What kind of file this is, or why it is not taken. `content` is a path, or bytes: all of them, or the first ones,
 * which do for everything but doc, xls, ppt and msg and leave the rest of a text unread.
 */
export async function checkFileType(
  content: string | Uint8Array,
  name: string,
): Promise<{ media_type: string } | Fault> {
  const extension = extname(name).slice(1).toLowerCase()
  const found = await recognise(content, extension)
  const textKind = ownValue(textKinds, extension)
  if (textKind && found.text !== undefined && textKind.beginning.test(found.text)) {
    return { media_type: textKind.media_type }
  }
  const otherKind = ownValue(otherKinds, extension)
  if (otherKind?.contents.includes(found.kind)) return { media_type: otherKind.media_type }
  const says = extension === '' ? 'has no extension' : `says ${extension}`
  const remedy = textKind || otherKind ? '' : `; accepted are ${accepted}`
  return { pointer: '/file', detail: `the content is ${found.label}, but the name ${says}${remedy}` }
}

// An extension may be called "constructor".
function ownValue<Value>(table: Record<string, Value>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

/** `text`: how it begins, if it is text and nothing more particular. */
type Recognised = { kind: string; label: string; text?: string }

// Kinds of their own that may consist of nothing but text. Of the rest, some begin with two letters that any text may.
const writtenAsText = new Set(['pdf', 'rtf', 'ps', 'eps'])

async function recognise(content: string | Uint8Array, extension: string): Promise<Recognised> {
  const text = await readText(content, extension)
  // Loaded with the first upload: the service need not wait for it when it starts.
  const { fileTypeFromBuffer, fileTypeFromFile } = await import('file-type')
  const type = await (typeof content === 'string' ? fileTypeFromFile(content) : fileTypeFromBuffer(content))
  if (text !== undefined && !(type && writtenAsText.has(type.ext))) {
    if (text.script) return { kind: 'script', label: text.script }
    return { kind: 'text', label: text.beginning === '' ? 'empty' : 'text', text: text.beginning }
  }
  if (!type) return { kind: 'unknown', label: 'not of a known kind' }
  if (type.ext !== 'cfb') return { kind: type.ext, label: labels[type.ext] ?? `${type.ext} (${type.mime})` }
  const kind = await readCompoundKind(content)
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
