import { execFile } from 'node:child_process'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { Database } from '../../src/database/database.js'
import { printSpecimen } from '../../src/sandbox/document-pdf.js'
import { generateLines } from '../../src/sandbox/generate.js'
import { line } from '../support/account.js'
import { edifact, iftsta } from '../support/edi.js'
import { everyResponse, expectSameResponses, type Readers, type Responses } from '../support/every-response.js'
import {
  contentOf,
  type Installation,
  importInto,
  newInstallation,
  newInstallationOnServer,
  waybill,
} from '../support/installation.js'
import { asOperator, officeTokenIn, sendToOffice } from '../support/office.js'
import { asPerson, asVisitor, testPassword, tokenIn } from '../support/person.js'
import { type Serving, startServing } from '../support/program.js'
import { proposalForm } from '../support/proposals.js'

/** `waybill backup` and `waybill restore`. */

const run = promisify(execFile)
const today = '2026-03-01'
const backupName = 'backup.tar.gz'

test('a restored installation has every response of every interface byte for byte, every document and every key', async () => {
  const before = await newInstallation()
  const slugs = await fill(before)
  await replaceDocument(before)
  const serving = await startServing(before)
  const known = await Promise.all(slugs.map((slug) => newReaders(before, serving, slug)))
  await sendMessage(serving, known[0]?.operatorKey)
  for (const { key } of known) await proposeDocument(serving, key)
  await waybill(before, 'feed', 'add', '--push', '--carrier', 'MAEU', '--format', 'dcsa-2.2')
  await exceptionsRaised(serving)
  const responses = await Promise.all(
    known.map(async (readers) => everyResponse(serving, await signedIn(serving, readers))),
  )
  expect(Object.keys(responses[0] as object).length).toBeGreaterThan(150)
  const file = join(await otherFolder(), backupName)
  const reported = JSON.parse(await waybill(before, 'backup', file, '--json')) as Record<string, unknown>
  expect(reported).toMatchObject({ file, bytes: (await stat(file)).size })
  expect(reported.documents).toBeGreaterThan(10)
  await stop(serving)
  const files = await filesIn(before)
  expect(files).toHaveLength(reported.documents as number)
  await rm(join(before.folder, 'data'), { recursive: true })

  const after = await newInstallation()
  const { bytes: _bytes, ...rest } = reported
  expect(JSON.parse(await waybill(after, 'restore', file, '--json'))).toEqual(rest)
  const again = await startServing(after)
  for (const [index, readers] of known.entries()) {
    expectSameResponses(await everyResponse(again, await signedIn(again, readers)), responses[index] as Responses)
  }
  expect(await filesIn(after)).toEqual(files)
  // New records do not collide with restored ones.
  await sendMessage(again, known[0]?.operatorKey)
  await waybill(after, 'account', 'create', 'newcomer', '--name', 'Newcomer')
  await waybill(after, 'key', 'create', '--account', 'newcomer')
  await stop(again)
})

async function proposeDocument({ baseUrl }: { baseUrl: string }, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  const sent = await fetch(`${baseUrl}/v1/documentProposals`, { method: 'POST', headers, body: proposalForm() })
  expect(sent.status).toBe(201)
  const body = proposalForm({}, { name: 'slots.csv', bytes: Buffer.from('Day,Hour\n1,8\n') })
  expect((await fetch(`${baseUrl}/v1/messageFiles`, { method: 'POST', headers, body })).status).toBe(201)
}

/** Waits until exceptions follow all that is stored. */
async function exceptionsRaised({ baseUrl }: { baseUrl: string }): Promise<void> {
  await expect
    .poll(async () => (await fetch(`${baseUrl}/metrics`)).text(), { interval: 500 })
    .toMatch(/^waybill_exceptions_behind_revisions 0$/m)
}

/** Sends a message about a container that no shipment has, with a code that is not known. */
async function sendMessage({ baseUrl }: { baseUrl: string }, key = ''): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  const body = edifact([iftsta({ code: 'ZZZ', at: '202603080800', place: 'CNNGB', container: 'MSKU7031415' })])
  const sent = await fetch(`${baseUrl}/ops/v1/messages?format=iftsta&sender=MAEU`, { method: 'POST', headers, body })
  expect(sent.status).toBe(200)
  const columns = await fetch(`${baseUrl}/ops/v1/senders/MAEU/columns`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ columns: [{ heading: 'Unit', field: 'container' }] }),
  })
  expect(columns.status).toBe(200)
}

test('a backup contains every table of the schema, including new ones, and tar can read it', async () => {
  const installation = await newInstallationOnServer()
  await fill(installation)
  await installation.db`create table brand_new (number integer primary key, note text)`
  await installation.db`insert into brand_new select n, E'a\tb\nc\\\\.' from generate_series(1, 3) n`
  const file = join(installation.folder, backupName)
  await waybill(installation, 'backup', file)

  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const { stdout: names } = await run('tar', ['-tzf', file])
  const { stdout: manifest } = await run('tar', ['-xzOf', file, 'waybill-backup.json'])
  const { tables } = JSON.parse(manifest) as { tables: { name: string; columns: string[]; rows: number }[] }
  // Except for those that `api/portal/restored-portal.test.ts` names.
  const columns = await installation.db<{ table: string; columns: string[] }[]>`
    select table_name as table, array_agg(column_name::text order by ordinal_position) as columns
    from information_schema.columns join pg_class on pg_class.oid = table_name::regclass
    where table_schema = 'public' and relpersistence = 'p'
      and table_name not in ('sessions', 'personal_links', 'sign_in_failures', 'service', 'pending_sign_ins',
        'passkey_challenges', 'totp_factors', 'feed_secrets', 'mails', 'webhook_secrets', 'webhook_deliveries')
    group by table_name`
  expect(columns.map(({ table }) => table)).toContain('brand_new')
  expect(new Map(tables.map((table) => [table.name, table.columns]))).toEqual(
    new Map(columns.map((table) => [table.table, table.columns])),
  )
  for (const { name, rows } of tables) {
    const [counted] = await installation.db<{ rows: number }[]>`select count(*) as rows from ${installation.db(name)}`
    expect(rows, name).toBe(counted?.rows)
    const { stdout } =
      rows === 0 ? { stdout: '' } : await run('tar', ['-xzOf', file, '--wildcards', `tables/${name}/*`])
    expect(stdout.split('\n').length - 1, name).toBe(rows)
    expect(names.includes(`tables/${name}/`), name).toBe(rows > 0)
  }
})

test('backups and restores are in the audit log of the forwarder', async () => {
  const installation = await newInstallationOnServer()
  const file = join(installation.folder, backupName)
  await waybill(installation, 'backup', file)
  const other = await newInstallationOnServer()
  await waybill(other, 'restore', file)
  const entries = await other.db`
    select kind, action, actor, details - 'created_at' as details from audit_log where account_id = 0 order by at`
  expect(entries.slice(-2)).toEqual([
    {
      kind: 'export',
      action: 'exported',
      actor: 'command-line',
      details: { operation: 'backup', file: backupName, encrypted: false },
    },
    {
      kind: 'operator',
      action: 'imported',
      actor: 'command-line',
      details: { operation: 'restore', file: backupName },
    },
  ])
})

test('a backup made during writes is one consistent state of the database', async () => {
  const installation = await newInstallationOnServer()
  await fill(installation)
  await waybill(installation, 'account', 'create', 'busy', '--name', 'Busy')
  const key = await waybill(installation, 'key', 'create', '--account', 'busy')
  const serving = await startServing(installation)
  let isDone = false
  let created = 0
  const writers = [1, 2, 3].map(async (writer) => {
    for (let number = 0; !isDone; number += 1) {
      expect(await createOrder(serving, key, `PO-${writer}-${number}`)).toBe(201)
      created += 1
    }
  })
  const importing = importInto(installation, generateLines({ accounts: 1, shipments: 200, seed: 'b', today }))
  const file = join(installation.folder, backupName)
  await waybill(installation, 'backup', file)
  const createdThen = created
  isDone = true
  await Promise.all([...writers, importing])
  await stop(serving)
  expect(createdThen).toBeGreaterThan(0)

  const other = await newInstallationOnServer()
  await waybill(other, 'restore', file)
  // Revisions and the change log belong to one snapshot, and so do orders and their records.
  const torn = await other.db`
    select slug from accounts
    where revision <> (select coalesce(max(changes.revision), 0) from changes where changes.account_id = accounts.account_id)`
  expect(torn).toEqual([])
  const halves = await other.db`
    select reference from purchase_orders full join changes
      on changes.account_id = purchase_orders.account_id and kind = 'purchase_order' and id = reference
      and changes.revision = purchase_orders.revision
    where body is null and kind = 'purchase_order' and what = 'created' and not exists (
        select from purchase_orders later where later.account_id = changes.account_id and later.reference = changes.id)
      or changes.id is null and reference is not null`
  expect(halves).toEqual([])
  const again = await startServing(other)
  const orders = (await (await get(again, key, '/v1/purchaseOrders')).json()) as { purchase_order_lines: unknown[] }[]
  expect(orders.length).toBeLessThanOrEqual(created)
  for (const order of orders) expect(order.purchase_order_lines).toHaveLength(1)
  await stop(again)
})

test('a running service serves the restored data, and accepts no earlier ETag or link', async () => {
  const installation = await newInstallation()
  const [slug] = await fill(installation)
  const key = await waybill(installation, 'key', 'create', '--account', slug as string)
  const file = join(installation.folder, backupName)
  await waybill(installation, 'backup', file)
  const serving = await startServing(installation)
  const first = await get(serving, key, '/v1/purchaseOrders')
  const etag = first.headers.get('etag') as string
  const orders = await first.text()
  const link = await firstLink(serving, key)
  expect((await get(serving, key, '/v1/purchaseOrders', etag)).status).toBe(304)
  expect((await fetch(link)).status).toBe(200)
  expect(await createOrder(serving, key, 'PO-LATER')).toBe(201)
  expect((await get(serving, key, '/v1/purchaseOrders/PO-LATER')).status).toBe(200)

  await waybill(installation, 'restore', file, '--yes')
  expect((await get(serving, key, '/v1/purchaseOrders/PO-LATER')).status).toBe(404)
  // The same revision and bytes as before, but another ETag.
  const after = await get(serving, key, '/v1/purchaseOrders', etag)
  expect({ status: after.status, text: await after.text() }).toEqual({ status: 200, text: orders })
  expect(after.headers.get('etag')).not.toBe(etag)
  expect((await get(serving, key, '/v1/purchaseOrders', after.headers.get('etag') as string)).status).toBe(304)
  expect((await fetch(link)).status).toBe(403)
  expect((await fetch(await firstLink(serving, key))).status).toBe(200)
  expect(await createOrder(serving, key, 'PO-LATER')).toBe(201)
  await stop(serving)
})

test('people are restored with their passwords, but sessions and mail links are not', async () => {
  const installation = await newInstallation()
  const email = 'kim@acme.example'
  await waybill(installation, 'account', 'create', 'acme', '--name', 'Acme')
  const invitation = await waybill(
    installation,
    'user',
    'create',
    '--account',
    'acme',
    '--email',
    email,
    '--name',
    'Kim',
  )
  const serving = await startServing(installation)
  const body = { password: testPassword }
  const chosen = await asVisitor(serving, 'useLink', { body: { token: tokenOf(invitation), ...body } })
  const { portal } = asPerson(serving, tokenIn(chosen))
  const reset = { token: tokenOf(await waybill(installation, 'user', 'reset', email)) }
  const file = join(installation.folder, backupName)
  await waybill(installation, 'backup', file)
  expect((await portal('getSession')).status).toBe(200)
  expect((await asVisitor(serving, 'getLink', { body: reset })).status).toBe(200)

  await waybill(installation, 'restore', file, '--yes')
  expect(await portal('getSession')).toBeRefused('not_signed_in')
  expect(await asVisitor(serving, 'getLink', { body: reset })).toBeRefused('link_not_valid')
  expect((await asVisitor(serving, 'signIn', { body: { email, ...body } })).status).toBe(201)
  await stop(serving)
})

function tokenOf(link: string): string {
  return link.split('#').at(-1) ?? ''
}

test('a restore replaces all data, on the embedded and on an external database', async () => {
  const origin = await newInstallationOnServer()
  await fill(origin)
  const file = join(origin.folder, backupName)
  await waybill(origin, 'backup', file)
  const [embedded, onServer] = [await newInstallation(), await newInstallationOnServer()]
  for (const other of [embedded, onServer]) {
    await waybill(other, 'account', 'create', 'other', '--name', 'Other')
    await waybill(other, 'key', 'create', '--account', 'other')
    await waybill(other, 'restore', file, '--yes')
    expect(await waybill(other, 'account', 'list')).toBe(await waybill(origin, 'account', 'list'))
  }
  await expectSameContent(onServer.db, origin.db)
  // A second backup and restore loses nothing.
  const second = join(origin.folder, 'second.tar.gz')
  await waybill(embedded, 'backup', second)
  await waybill(onServer, 'restore', second, '--yes')
  await expectSameContent(onServer.db, origin.db)
})

/** Restored audit logs have entries about the restores, too. */
async function expectSameContent(after: Database, before: Database): Promise<void> {
  const [{ audit_log: logAfter, ...restAfter }, { audit_log: logBefore, ...restBefore }] = [
    await contentOf(after),
    await contentOf(before),
  ]
  expect(restAfter).toEqual(restBefore)
  expect(logAfter).not.toBe(logBefore)
  const entriesOf = async (db: Database) => (await db`select entry_id from audit_log`).map(({ entry_id }) => entry_id)
  expect(await entriesOf(after)).toEqual(expect.arrayContaining(await entriesOf(before)))
}

const generated = [
  ...generateLines({ accounts: 2, shipments: 12, seed: 'backup', today, specimen: await printSpecimen() }),
]

/** Imports two accounts with documents, and returns their slugs. */
async function fill(installation: Installation): Promise<string[]> {
  await importInto(installation, generated)
  return generated.filter(({ kind }) => kind === 'account').map(({ account }) => account)
}

/** Replaces the bytes of a document: the old ones are only in its history. */
async function replaceDocument(installation: Installation): Promise<void> {
  const document = generated.find((each) => each.kind === 'document')
  if (!document) throw new Error('the generated data has no document')
  const content_base64 = Buffer.from('a newer version').toString('base64')
  await importInto(installation, [{ ...document, data: { ...document.data, content_base64 } }])
}

async function filesIn({ folder }: Installation): Promise<string[]> {
  const names = await readdir(join(folder, 'data', 'documents'), { recursive: true })
  return names.filter((name) => /[0-9a-f]{64}$/.test(name)).toSorted()
}

async function otherFolder(): Promise<string> {
  return (await newInstallation()).folder
}

async function stop({ kill, ended }: Serving): Promise<void> {
  kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0 })
}

function get({ baseUrl }: Serving, key: string, path: string, etag?: string): Promise<Response> {
  return fetch(baseUrl + path, { headers: { authorization: `Bearer ${key}`, ...(etag && { 'if-none-match': etag }) } })
}

async function createOrder({ baseUrl }: Serving, key: string, reference: string): Promise<number> {
  const response = await fetch(`${baseUrl}/v1/purchaseOrders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ reference, product_lines: [line()] }),
  })
  await response.arrayBuffer()
  return response.status
}

async function firstLink(serving: Serving, key: string): Promise<string> {
  const [document] = (await (await get(serving, key, '/v1/documents?take=1')).json()) as { link: string }[]
  return document?.link as string
}

type Known = Omit<Readers, 'person' | 'office'> & { email: string }

/** A key, a person and an operator who can read the account. */
async function newReaders(installation: Installation, serving: Serving, slug: string): Promise<Known> {
  const key = await waybill(installation, 'key', 'create', '--account', slug)
  const operatorKey = await waybill(installation, 'operator', 'create', '--name', slug, '--role', 'admin')
  const email = `kim@${slug}.example`
  const person = ['--account', slug, '--email', email, '--name', 'Kim']
  const token = tokenOf(await waybill(installation, 'user', 'create', ...person))
  const chosen = await asVisitor(serving, 'useLink', { body: { token, password: testPassword } })
  const { portal } = asPerson(serving, tokenIn(chosen))
  await portal('createView', { body: { page: 'shipments', name: 'Mine', query: 'q=lamps' } })
  const operator = ['--email', email, '--name', 'Kim', '--role', 'admin']
  const invited = tokenOf(await waybill(installation, 'operator', 'add', ...operator))
  await sendToOffice(serving, 'useLink', { body: { token: invited, password: testPassword } })
  return { slug, key, operatorKey, email }
}

async function signedIn(serving: Serving, { email, ...known }: Known): Promise<Readers> {
  const result = await asVisitor(serving, 'signIn', { body: { email, password: testPassword } })
  const atOffice = await sendToOffice(serving, 'signIn', { body: { email, password: testPassword } })
  return {
    ...known,
    person: asPerson(serving, tokenIn(result)).headers,
    office: asOperator(serving, officeTokenIn(atOffice)).headers,
  }
}
