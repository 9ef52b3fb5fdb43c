import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newAccount } from '../../support/account.js'
import {
  boundary,
  field,
  file,
  form,
  formType,
  sendAndDisconnect,
  sendPieces,
  storedPaths,
} from '../../support/forms.js'
import { checkedOperatorResponse, newOperator } from '../../support/operator.js'
import { ownDatabase, ownDatabaseUrl } from '../../support/own-database.js'
import { peakMemory } from '../../support/peak-memory.js'
import { startServing, temporaryFolder, until } from '../../support/program.js'
import { binaryFiles } from '../../support/sample-files.js'
import { startService } from '../../support/service.js'

const service = await startService()
const pdf = binaryFiles.pdf as Buffer
const mebibyte = 1024 * 1024

async function start(at = service) {
  const account = await newAccount(at)
  const operator = await newOperator(at, 'operations')
  const path = `/ops/v1/accounts/${account.slug}/documents`
  const to = { path, key: operator.key, type: formType }
  const send = async (body: Buffer, type = formType) =>
    checkedOperatorResponse('uploadDocument', await sendPieces(at, { ...to, type }, [body]))
  return { ...account, to, send, ops: operator.ops }
}

/** The account's documents, and the files in the data folder. */
async function stateOf(id: number) {
  const [rows] = await service.db`
    select revision, (select count(*) from documents where account_id = ${id}) as documents,
      (select count(*) from changes where account_id = ${id}) as changes
    from accounts where account_id = ${id}`
  return { ...rows, paths: await storedPaths(service) }
}

test('fields may come before the file or after it', async () => {
  const { send } = await start()
  const before = await send(form(field('type', 'cmr'), field('uploaded_at', '2026-01-01'), file('a.pdf', pdf)))
  const after = await send(form(file('a.pdf', pdf), field('type', 'cmr'), field('uploaded_at', '2026-01-01')))
  for (const { status, body } of [before, after]) {
    expect(status).toBe(201)
    expect(body.record).toMatchObject({ name: 'a.pdf', type: 'cmr', uploaded_at: '2026-01-01', size: pdf.length })
  }
})

test.each([
  ['/etc/papers/list.pdf', 'list.pdf'],
  ['C:\\\\papers\\\\list.pdf', 'list.pdf'],
  ['../../list.pdf', 'list.pdf'],
  ['li\u0001st\u0085.pdf\u007f', 'list.pdf'],
  ['fdp.\u202egnp.pdf', 'fdp.gnp.pdf'],
  ['Frachtbrief Zürich 深圳 🚢.pdf', 'Frachtbrief Zürich 深圳 🚢.pdf'],
  [`${'🚢'.repeat(300)}.pdf`, `${'🚢'.repeat(251)}.pdf`],
  ['100%25 %22sure%22.pdf', '100%25 %22sure%22.pdf'],
])('of the file name %j the printable last part is kept: %j', async (given, kept) => {
  const { send, call } = await start()
  expect((await send(form(file(given, pdf)))).body.record.name).toBe(kept)
  expect((await call('listDocuments')).body[0]?.name).toBe(kept)
})

test('a long part without a name is refused soon, whatever its content', async () => {
  const { send } = await start()
  const nameless = `--${boundary}\r\n\r\n\r\n${'a line of text\r\n'.repeat(20_000)}\r\n--${boundary}--\r\n`
  expect(await send(Buffer.from(nameless))).toBeRefused('malformed_request')
})

const disposition = 'Content-Disposition: form-data; name="file"; filename="a.pdf"'
const badForms: [string, () => Buffer, 'invalid_request' | 'malformed_request', string?][] = [
  ['nothing', () => Buffer.alloc(0), 'invalid_request', '/file'],
  ['no parts', () => form(), 'invalid_request', '/file'],
  ['no file', () => form(field('type', 'cmr')), 'invalid_request', '/file'],
  ['two files', () => form(file('a.pdf', pdf), file('b.pdf', pdf)), 'invalid_request', '/file'],
  ['two files of two names', () => form(file('a.pdf', pdf), file('b.pdf', pdf, 'more')), 'invalid_request', '/file'],
  ['a file under another name', () => form(file('a.pdf', pdf, 'paper')), 'invalid_request', '/paper'],
  ['a file under an unreadable name', () => form(file('a.pdf', pdf, 'fi\0le')), 'invalid_request', ''],
  ['a field without a name', () => form(field('', 'x'), file('a.pdf', pdf)), 'invalid_request', ''],
  ['a file without a name', () => form(file('', pdf)), 'invalid_request', '/file'],
  ['a file that is called like a folder', () => form(file('papers/', pdf)), 'invalid_request', '/file'],
  ['a file that is sent as a field', () => form(field('file', 'text')), 'invalid_request', '/file'],
  [
    'a field that is given twice',
    () => form(field('type', 'cmr'), field('type', 'ima'), file('a.pdf', pdf)),
    'invalid_request',
    '/type',
  ],
  ['an unknown field', () => form(file('a.pdf', pdf), field('colour', 'red')), 'invalid_request', '/colour'],
  [
    'a field that is too long',
    () => form(field('type', 'x'.repeat(70_000)), file('a.pdf', pdf)),
    'invalid_request',
    '/type',
  ],
  ['a field called __proto__', () => form(field('__proto__', '1'), file('a.pdf', pdf)), 'invalid_request', ''],
  ['a field called constructor', () => form(field('constructor', '1'), file('a.pdf', pdf)), 'invalid_request', ''],
  [
    'too many fields',
    () => form(...Array.from({ length: 30 }, (_, index) => field(`f${index}`, 'x')), file('a.pdf', pdf)),
    'invalid_request',
    '',
  ],
  [
    'a field with invalid JSON',
    () =>
      form({ headers: [...field('type', '').headers, 'Content-Type: application/json'], content: '{' }, file('a', pdf)),
    'invalid_request',
    '',
  ],
  [
    'a field of JSON',
    () => form({ headers: [...field('type', '').headers, 'Content-Type: application/json'], content: '{}' }),
    'invalid_request',
    '/type',
  ],
  [
    'a field with an unknown charset',
    () =>
      form(
        { headers: [...field('type', '').headers, 'Content-Type: text/plain; charset=nonsense'], content: 'cmré' },
        file('a.pdf', pdf),
      ),
    'invalid_request',
    '/type',
  ],
  ['a file whose part has no headers', () => form({ headers: [], content: pdf }), 'invalid_request', '/file'],
  [
    'a file without Content-Disposition',
    () => form({ headers: ['Content-Type: application/pdf'], content: pdf }),
    'invalid_request',
    '/file',
  ],
  [
    'a part of headers only',
    () => Buffer.from(`--${boundary}\r\n${disposition}\r\n--${boundary}--\r\n`),
    'malformed_request',
  ],
  [
    'headers without their colon',
    () => form({ headers: [disposition.replace(':', '')], content: pdf }),
    'invalid_request',
    '/file',
  ],
  ['no end', () => form(file('a.pdf', pdf)).subarray(0, -boundary.length - 6), 'malformed_request'],
  ['an end in the middle of a header', () => form(file('a.pdf', pdf)).subarray(0, 60), 'malformed_request'],
  [
    'another boundary',
    () => Buffer.from(form(file('a.pdf', pdf)).toString('latin1').replaceAll(boundary, 'other'), 'latin1'),
    'malformed_request',
  ],
  ['a body that is not a form', () => Buffer.from('{"file":"a.pdf"}'), 'malformed_request'],
]

test.each(badForms)('a form with %s is refused and leaves nothing behind', async (_, body, code, pointer) => {
  const { id, send } = await start()
  const before = await stateOf(id)
  const result = await send(body())
  expect(result).toBeRefused(code)
  if (pointer !== undefined) expect(result.problem.errors?.map((fault) => fault.pointer)).toContain(pointer)
  expect(await stateOf(id)).toEqual(before)
})

test.each([
  ['multipart/form-data', 'malformed_request'],
  ['multipart/form-data; boundary=', 'malformed_request'],
  ['multipart/mixed; boundary=x', 'unsupported_media_type'],
  ['application/json', 'unsupported_media_type'],
  ['application/octet-stream', 'unsupported_media_type'],
  ['', 'unsupported_media_type'],
] as const)('a form sent as "%s" is refused', async (type, code) => {
  const { id, send } = await start()
  const before = await stateOf(id)
  expect(await send(form(file('a.pdf', pdf)), type)).toBeRefused(code)
  expect(await stateOf(id)).toEqual(before)
})

test('the refusal of a request without a body states what is accepted', async () => {
  const { to } = await start()
  const response = await fetch(service.baseUrl + to.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${to.key}` },
  })
  const result = await checkedOperatorResponse('uploadDocument', response)
  expect(result).toBeRefused('unsupported_media_type')
  expect(result.problem.detail).toContain('multipart/form-data')
})

test('every mutation of a form is accepted or refused clearly, and leaves nothing behind', async () => {
  const { send } = await start()
  const sound = form(field('type', 'cmr'), file('a.pdf', pdf), field('uploaded_at', '2026-01-01'))
  const place = fc.nat(sound.length - 1)
  const damage = fc.record({
    from: place,
    length: fc.nat(20),
    instead: fc.constantFrom('', 'x', '\0', '\r\n', '--', '"'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (damages) => {
      const body = damages.reduce(
        (bytes, { from, length, instead }) =>
          Buffer.concat([bytes.subarray(0, from), Buffer.from(instead), bytes.subarray(from + length)]),
        sound,
      )
      const { status } = await send(body)
      expect([201, 400]).toContain(status)
      expect((await storedPaths(service)).filter((path) => path.includes('incoming-'))).toEqual([])
    }),
    { numRuns: 100 },
  )
})

test('the bytes of a file that is refused for another reason are removed', async () => {
  const { id, send, ops, slug } = await start()
  const unique = (text: string) => Buffer.concat([pdf, Buffer.from(text + randomUUID())])
  const existing = randomUUID()
  await send(form(field('id', existing), file('a.pdf', unique('first'))))
  const before = await stateOf(id)
  expect(await send(form(field('id', existing), file('a.pdf', unique('a'))))).toBeRefused('document_exists')
  expect(await send(form(file('a.pdf', unique('b')), field('svc_shipment_id', 'x')))).toBeRefused('invalid_request')
  expect(await send(form(file('a.png', unique('c'))))).toBeRefused('file_not_accepted')
  expect(await stateOf(id)).toEqual(before)
  expect((await ops('listDocuments', slug)).body).toHaveLength(1)
})

const whole = form(field('type', 'cmr'), file('a.pdf', Buffer.concat([pdf, Buffer.alloc(3 * mebibyte, 1)])))
const fileStart = whole.indexOf('%PDF')

test.each([
  ['before its first byte', 0],
  ['in its first field', 50],
  ['in the headers of the file', fileStart - 20],
  ['at the first byte of the file', fileStart],
  ['in the middle of the file', fileStart + 2 * mebibyte],
  ['before its last bytes', whole.length - 4],
])('an upload that is aborted %s leaves nothing behind', async (_, length) => {
  const { id, to, send } = await start()
  const before = await stateOf(id)
  for (const politely of [true, false]) {
    await sendAndDisconnect(service, to, whole.subarray(0, length), { length: whole.length, politely })
    await until(async () => (await storedPaths(service)).length === before.paths.length)
    expect(await stateOf(id)).toEqual(before)
  }
  expect((await send(whole)).status).toBe(201)
})

async function* longFile(bytes: number): AsyncGenerator<Buffer> {
  const [head, tail] = form(file('long.pdf', 'SPLIT')).toString('latin1').split('SPLIT') as [string, string]
  yield Buffer.from(head)
  yield pdf
  const filler = Buffer.alloc(mebibyte, 7)
  for (let left = bytes - pdf.length; left > 0; left -= filler.length) yield filler.subarray(0, left)
  yield Buffer.from(tail)
}

test('a file may have up to 100 MiB', async () => {
  const { id, to, call } = await start()
  const before = await stateOf(id)
  const long = await sendPieces(service, to, longFile(100 * mebibyte + 1))
  expect(await checkedOperatorResponse('uploadDocument', long)).toBeRefused('payload_too_large')
  expect(await stateOf(id)).toEqual(before)
  const longest = await sendPieces(service, to, longFile(100 * mebibyte))
  expect((await checkedOperatorResponse('uploadDocument', longest)).body.record.size).toBe(100 * mebibyte)
  expect((await call('listDocuments')).body).toHaveLength(1)
})

test('a form with a too large Content-Length is refused before it is read', async () => {
  const { to } = await start()
  const headers = { 'content-length': String(110 * mebibyte) }
  const result = await sendPieces(service, { ...to, headers }, [pdf])
  expect(await checkedOperatorResponse('uploadDocument', result)).toBeRefused('payload_too_large')
})

test('after a refusal in the middle of a form the connection can be reused', async () => {
  const { to, slug, ops } = await start()
  // Longer than what is read ahead.
  const body = form(file('a.pdf', Buffer.alloc(2 * mebibyte, 1), 'paper'))
  const headers = { authorization: `Bearer ${to.key}`, 'content-type': formType }
  for (let count = 0; count < 5; count += 1) {
    const response = await fetch(service.baseUrl + to.path, { method: 'POST', headers, body: Uint8Array.from(body) })
    expect(await checkedOperatorResponse('uploadDocument', response)).toBeRefused('invalid_request')
    expect((await ops('listDocuments', slug)).status).toBe(200)
  }
})

test.runIf(process.platform === 'linux')('a long file is uploaded in bounded memory (needs Linux)', async () => {
  // On a database of its own: background tasks for other accounts would take memory, too.
  const { to, call } = await start(await startService({ db: await ownDatabase('long_file') }))
  const { baseUrl, pid } = await startServing({
    env: { DATABASE_URL: ownDatabaseUrl('long_file'), WAYBILL_DATA_DIR: await temporaryFolder() },
  })
  expect((await sendPieces({ baseUrl }, to, longFile(30 * mebibyte))).status).toBe(201)
  const before = await peakMemory(pid)
  const long = await sendPieces({ baseUrl }, to, longFile(90 * mebibyte))
  expect((await checkedOperatorResponse('uploadDocument', long)).body.record.size).toBe(90 * mebibyte)
  const growth = (await peakMemory(pid)) - before

  expect(growth).toBeLessThan(40)
  expect((await call('listDocuments')).body).toHaveLength(2)
})
