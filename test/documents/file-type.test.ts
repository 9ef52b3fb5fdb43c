import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { checkFileType } from '../../src/documents/file-type.js'
import { binaryFiles, compoundFile, rejectedFiles, textFiles } from '../support/sample-files.js'

const folder = await mkdtemp(join(tmpdir(), 'waybill-file-type-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const office = 'application/vnd.openxmlformats-officedocument'
const mediaTypes: Record<string, string> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  heic: 'image/heic',
  docx: `${office}.wordprocessingml.document`,
  xlsx: `${office}.spreadsheetml.sheet`,
  pptx: `${office}.presentationml.presentation`,
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  msg: 'application/vnd.ms-outlook',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  rtf: 'application/rtf',
  zip: 'application/zip',
  xml: 'application/xml',
  json: 'application/json',
  csv: 'text/csv',
  txt: 'text/plain',
  edi: 'application/edi-consent',
  eml: 'message/rfc822',
}

const sameAs: Record<string, string> = { jpeg: 'jpg', tiff: 'tif' }
const samples: Record<string, Buffer> = { ...binaryFiles, ...textFiles }

test.each(Object.entries(mediaTypes))(
  'a file whose name and content are %s is accepted as %s',
  async (kind, media_type) => {
    const content = samples[sameAs[kind] ?? kind] as Buffer
    expect(await check(content, `The bill.2026.${kind}`)).toEqual({ media_type })
    expect(await check(content, `BILL.${kind.toUpperCase()}`)).toEqual({ media_type })
  },
)

test.each(Object.entries(binaryFiles))(
  'a file with %s content is refused with any other extension',
  async (kind, content) => {
    for (const other of Object.keys(mediaTypes).filter((each) => (sameAs[each] ?? each) !== kind)) {
      const { detail } = await refusalOf(content, `a.${other}`)
      expect(detail).toMatch(new RegExp(`^the content is .*${kind}.*, but the name says ${other}$`))
    }
  },
)

test.each(Object.entries(textFiles))(
  'the text of a %s file is refused with an extension that is not text',
  async (_, content) => {
    for (const other of Object.keys(binaryFiles)) {
      const { detail } = await refusalOf(content, `a.${other}`)
      // An HTML mail is recognised as a mail only by its name.
      expect(detail).toMatch(new RegExp(`^the content is (?:text|HTML), but the name says ${other}$`))
    }
  },
)

test.each(Object.entries(rejectedFiles))(
  'a %s file is refused with every accepted extension, and with its own',
  async (kind, content) => {
    for (const name of [...Object.keys(mediaTypes), kind]) await refusalOf(content, `a.${name}`)
  },
)

const labelled: [string, string][] = [
  ['exe', 'a program for Windows'],
  ['elf', 'a program for Linux'],
  ['msi', 'an installer for Windows'],
  ['jar', 'jar (application/java-archive)'],
  ['noise', 'not of a known kind'],
]

test.each(labelled)('the message names the recognised type: %s is %s', async (kind, label) => {
  const { detail } = await refusalOf(rejectedFiles[kind] as Buffer, 'a.pdf')
  expect(detail).toBe(`the content is ${label}, but the name says pdf`)
})

const badNames: [string, string][] = [
  ['bill', 'has no extension'],
  ['.pdf', 'has no extension'],
  ['bill.', 'has no extension'],
  ['bill.pdf.exe', 'says exe'],
  ['bill.pdf ', 'says pdf '],
  ['bill.svg', 'says svg'],
  ['bill.html', 'says html'],
  ['bill.constructor', 'says constructor'],
  ['bill.__proto__', 'says __proto__'],
]

test.each(badNames)('a name like %j is refused: it %s', async (name, says) => {
  const { detail } = await refusalOf(binaryFiles.pdf as Buffer, name)
  expect(detail).toContain(`, but the name ${says}; accepted are pdf, png, jpg, `)
  expect(detail).toMatch(/^the content is pdf /)
})

test('an empty file is accepted as text only', async () => {
  expect(await check(Buffer.alloc(0), 'a.txt')).toEqual({ media_type: 'text/plain' })
  for (const kind of [...Object.keys(binaryFiles), 'xml', 'json', 'eml']) {
    expect((await refusalOf(Buffer.alloc(0), `a.${kind}`)).detail).toBe(
      `the content is empty, but the name says ${kind}`,
    )
  }
})

const words = 'Zürich – Größe; 12 Stück\r\n\tweiter\f'
const goodText: [string, string, Buffer][] = [
  ['UTF-8', 'txt', Buffer.from(words)],
  ['UTF-8 with its mark', 'csv', Buffer.from(`\ufeff${words}`)],
  ['UTF-16, little end first', 'csv', Buffer.from(`\ufeff${words} 上海`, 'utf16le')],
  ['UTF-16, big end first', 'txt', Buffer.from(`\ufeff${words} 上海`, 'utf16le').swap16()],
  ['Latin-1', 'csv', Buffer.from('Zürich; Größe', 'latin1')],
  ['Windows-1252, with a euro sign', 'csv', Buffer.from('Fracht; 12 \x80', 'latin1')],
  ['UTF-8 cut off within a character', 'txt', Buffer.from('Zü').subarray(0, 2)],
  ['XML in UTF-16', 'xml', Buffer.from('\ufeff<?xml version="1.0" encoding="UTF-16"?><a/>', 'utf16le')],
  ['EDI with separators of its own', 'edi', Buffer.from('ISA\x1d00\x1d\x1e GS\x1c\x1f')],
  ['a mail out of a mailbox', 'eml', Buffer.from('From a@example.com Sun Mar  1 12:00:00 2026\nSubject: x\n\nHello')],
  ['text that speaks of <html> in the middle', 'txt', Buffer.from(`${'long '.repeat(2000)}<html>`)],
  ['a letter that begins like a picture', 'txt', Buffer.from('BM is short for bench mark; GIF89a is not.')],
]

test.each(goodText)('%s is accepted as text', async (_, extension, content) => {
  expect(await check(content, `a.${extension}`)).toEqual({ media_type: mediaTypes[extension] })
})

const badText: [string, string, Buffer, string][] = [
  ['with a zero', 'txt', Buffer.from('a\0b'), 'not of a known kind'],
  ['with a zero far in', 'csv', Buffer.from(`${'a;b\n'.repeat(100_000)}\0`), 'not of a known kind'],
  ['with an escape code', 'txt', Buffer.from('\x1b[2J'), 'not of a known kind'],
  ['with separators of EDI', 'csv', Buffer.from('a\x1db'), 'not of a known kind'],
  ['with controls of Latin-1', 'txt', Buffer.from('Gr\xf6\x81\xdfe', 'latin1'), 'not of a known kind'],
  ['with half a pair in UTF-16', 'txt', Buffer.from('fffe00d84100', 'hex'), ''],
  ['that is JSON', 'xml', Buffer.from('{}'), 'text'],
  ['that is no JSON', 'json', Buffer.from('reference: PO-1'), 'text'],
  ['without a head', 'eml', Buffer.from('Hello, it arrived.'), 'text'],
]

test.each(badText)('content %s is refused with the extension %s', async (_, extension, content, label) => {
  const { detail } = await refusalOf(content, `a.${extension}`)
  expect(detail).toContain(`the content is ${label}`)
})

const scripts: [string, string][] = [
  ['<html><body>hello</body></html>', 'HTML'],
  ['  \r\n<!DOCTYPE html>\n<p>hello', 'HTML'],
  ['<!doctype\nHTML>', 'HTML'],
  ['\ufeff<HTML>', 'HTML'],
  ['<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"/>', 'HTML'],
  ['<?xml version="1.0"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>', 'HTML'],
  ['a;b\n1;<script>alert(1)</script>', 'HTML'],
  ['<script src=//x.example/y>', 'HTML'],
  [`<!-- ${'long '.repeat(5000)} --><html>`, 'HTML'],
  [`${' '.repeat(10_000)}<html>`, 'HTML'],
  ['<body onload=alert(1)>', 'HTML'],
  ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'SVG'],
  ['<?xml version="1.0"?><!-- drawn --><s:svg xmlns:s="http://www.w3.org/2000/svg"/>', 'SVG'],
  ['<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" ""><svg/>', 'SVG'],
  ['#!/bin/sh\necho hello\n', 'a script'],
  ['<?php echo 1;', 'a script'],
]

test.each(scripts.map(([text, label]) => ({ text, label, short: text.trim().slice(0, 40) })))(
  '$short is refused under every accepted name as $label',
  async ({ text, label }) => {
    for (const kind of Object.keys(mediaTypes)) {
      for (const content of [Buffer.from(text), Buffer.from(`\ufeff${text.replace('\ufeff', '')}`, 'utf16le')]) {
        const { detail } = await refusalOf(content, `a.${kind}`)
        if (kind !== 'eml') expect(detail).toBe(`the content is ${label}, but the name says ${kind}`)
      }
    }
  },
)

test('HTML in the headers of a mail is refused', async () => {
  await refusalOf(Buffer.from('Subject: <script>alert(1)</script>\n\nHello'), 'a.eml')
})

test('an old Office file is recognised by its root directory, not by its attachments', async () => {
  const mail = compoundFile(['__attach', '__properties_version1.0'], { below: ['WordDocument', 'Workbook'] })
  expect(await check(mail, 'a.msg')).toEqual({ media_type: mediaTypes.msg })
  await refusalOf(mail, 'a.doc')
  const other = compoundFile(['__attach', 'Contents'], { below: ['WordDocument'] })
  expect((await refusalOf(other, 'a.doc')).detail).toContain('a compound file of no known kind')
  const locked = compoundFile(['EncryptionInfo', 'EncryptedPackage'])
  expect((await refusalOf(locked, 'a.xlsx')).detail).toContain('an Office file with a password')
})

const farNames = [...Array.from({ length: 9 }, (_, index) => `Stream ${index}`), 'Book']
const layouts: [string, Buffer][] = [
  ['over several sectors', compoundFile(farNames)],
  ['in long sectors', compoundFile(farNames, { sectorLength: 4096 })],
  [
    'so far into the file that the allocation table needs additional lists',
    compoundFile(farNames, { directoryAt: 14_000 }),
  ],
]

test.each(layouts)('the directory of an old Office file is read %s', async (_, content) => {
  expect(await check(content, 'a.xls')).toEqual({ media_type: mediaTypes.xls })
})

test('a compound file with a cyclic directory is refused', async () => {
  const content = compoundFile(['Contents', 'Other'])
  content.writeUInt32LE(2, 1024 + 2 * 4) // the directory sector is its own successor
  content.writeUInt32LE(1, 3 * 512 + 128 + 72) // and its first entry is its own sibling
  await refusalOf(content, 'a.doc')
})

test('a compound file with sector numbers beyond its end is refused without following them', async () => {
  const content = compoundFile(['Contents'], { directoryAt: 14_000 })
  const [list, table] = [512, 2 * 512]
  // A cyclic list of tables, whose entries all point to one table with sectors far beyond the file.
  for (let index = 0; index < 127; index += 1) content.writeUInt32LE(1, list + index * 4)
  content.writeUInt32LE(0, list + 127 * 4)
  content.fill(0x7f, table, table + 512)
  await refusalOf(content, 'a.doc')
})

test('any content gets a result, and never a media type that differs from the name', async () => {
  const all = Object.values({ ...samples, ...rejectedFiles }).filter(({ length }) => length < 20_000)
  const broken = fc
    .tuple(fc.constantFrom(...all), fc.nat(), fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }))))
    .map(([content, length, changes]) => {
      const bytes = Buffer.from(content.subarray(0, length % (content.length + 1)))
      for (const [at, value] of changes) if (bytes.length > 0) bytes[at % bytes.length] = value
      return bytes
    })
  const anything = fc.oneof(broken, fc.uint8Array({ maxLength: 600 }))
  await fc.assert(
    fc.asyncProperty(anything, fc.constantFrom(...Object.keys(mediaTypes)), async (bytes, kind) => {
      const answer = await check(bytes, `a.${kind}`)
      expect('media_type' in answer ? answer.media_type : mediaTypes[kind]).toBe(mediaTypes[kind])
    }),
    { numRuns: 500 },
  )
})

async function check(content: Uint8Array, name: string) {
  const path = join(folder, 'content')
  await writeFile(path, content)
  return checkFileType(path, name)
}

async function refusalOf(content: Buffer, name: string): Promise<{ pointer: string; detail: string }> {
  const answer = await check(content, name)
  expect(answer).toEqual({ pointer: '/file', detail: expect.any(String) })
  return answer as { pointer: string; detail: string }
}
