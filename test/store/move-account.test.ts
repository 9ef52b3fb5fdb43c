import { expect, inject, test } from 'vitest'
import type { Database } from '../../src/database/database.js'
import { schemaVersion } from '../../src/database/migrate.js'
import { readServiceSecrets } from '../../src/database/service-secrets.js'
import { decrypt } from '../../src/store/encrypted-value.js'
import { listAccountTables } from '../../src/store/move/account-tables.js'
import { cancelMove, moveAccount } from '../../src/store/move/move-account.js'
import { takeNumber } from '../../src/store/number-series.js'
import { line, newAccount } from '../support/account.js'
import { administer, withDatabase } from '../support/database.js'
import { newFullAccount } from '../support/every-operation.js'
import { charge, startInvoicing } from '../support/invoices.js'
import { newOperator } from '../support/operator.js'
import { ownDatabase, ownDatabaseUrl } from '../support/own-database.js'
import { asPerson, newPerson } from '../support/person.js'
import { runProgram, startProgram, until } from '../support/program.js'
import { startService } from '../support/service.js'

/** `waybill move`: an account goes to the database of another installation, with all that it has. */

const here = await startService({ db: await ownDatabase('move_here') })
// Both installations have the same documents.
const there = await startService({ db: await ownDatabase('move_there'), files: here.files })
const env = { DATABASE_URL: ownDatabaseUrl('move_here') }
const to = ownDatabaseUrl('move_there')

type Rows = Record<string, string[]>

/** All rows of an account, without what the database encrypts or numbers. */
async function rowsOf(db: Database, account: number): Promise<Rows> {
  const { link_secret } = await readServiceSecrets(db)
  const rows: Rows = {}
  for (const { name, isUnlogged } of await listAccountTables(db)) {
    if (isUnlogged) continue
    const found = await db<{ row: string }[]>`
      select (to_jsonb(rows) - 'account_id')::text as row from ${db(name)} rows where account_id = ${account} order by 1`
    rows[name] = found.map(({ row }) => {
      const { secret, ...rest } = JSON.parse(row) as { secret?: string }
      const purpose = name === 'totp_factors' ? 'totp' : 'webhook'
      return JSON.stringify(secret === undefined ? rest : { ...rest, secret: decrypt(link_secret, purpose, secret) })
    })
    rows[name].sort()
  }
  return rows
}

async function idOf(db: Database, slug: string): Promise<number> {
  const [row] = await db<{ account_id: number }[]>`select account_id from accounts where slug = ${slug}`
  return row?.account_id ?? -1
}

test('a moved account has every row of every table in the other database, and works there as before', async () => {
  // The identifier of the account differs there.
  await newAccount(there)
  const { account, admin, ids } = await newFullAccount(here)
  await account.call('createWebhook', { body: { url: 'https://8.8.8.8/hook' } })
  const before = await rowsOf(here.db, account.id)
  expect(Object.values(before).filter((rows) => rows.length > 0).length).toBeGreaterThan(25)
  expect(before.webhook_secrets?.length).toBeGreaterThan(0)
  const shipment = { params: { svc_shipment_id: ids.svc_shipment_id } }
  const shown = await account.call('getShipment', shipment)
  // Both change feeds over all accounts have counted positions.
  const operators = [await newOperator(here), await newOperator(there)] as const
  for (const { ops } of operators) await ops('listEvents', undefined)

  await moveAccount(here.db, there.db, account.slug)
  const id = await idOf(there.db, account.slug)
  expect(id).not.toBe(account.id)
  expect(await rowsOf(there.db, id)).toEqual(before)

  const moved = await account.callAt(there, 'getShipment', shipment)
  expect(moved.text).toBe(shown.text)
  expect(moved.headers.get('etag')).not.toBe(shown.headers.get('etag'))
  const order = { body: { reference: 'after the move', product_lines: [line()] } }
  expect((await account.callAt(there, 'createPurchaseOrder', order)).status).toBe(201)
  const person = asPerson(there, admin.token)
  expect((await person.portal('getSession')).body).toMatchObject({ account: { slug: account.slug } })

  // Here it is gone, and its keys get a refusal with Retry-After.
  const left = await rowsOf(here.db, account.id)
  expect(Object.keys(left).filter((table) => left[table]?.length)).toEqual(['audit_log', 'keys'])
  const refused = await account.call('getShipment', shipment)
  expect(refused).toBeRefused('service_unavailable')
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  const [{ ops }, { ops: opsThere }] = operators
  const { events } = (await opsThere('listEvents', undefined, { query: { limit: 100 } })).body
  expect(events.map(({ account: slug }) => slug)).toContain(account.slug)
  expect(await ops('getAccount', account.slug)).toBeRefused('account_not_found')
  expect((await ops('listAccounts', undefined)).body.map(({ slug }) => slug)).not.toContain(account.slug)
})

test('an account that moves under load loses no acknowledged order, and none is stored twice', async () => {
  const account = await newAccount(here)
  const stored: string[] = []
  let isOver = false
  /** As a client behind a router: what is not served here is sent to the other installation. */
  async function write(writer: number): Promise<void> {
    for (let count = 0; !isOver; count += 1) {
      const reference = `P-${writer}-${count}`
      const input = { body: { reference, product_lines: [line()] } }
      for (;;) {
        const known = (await account.call('createPurchaseOrder', input)).status
        const status = known === 503 ? (await account.callAt(there, 'createPurchaseOrder', input)).status : known
        if (status === 201) break
        expect([401, 503]).toContain(status)
      }
      stored.push(reference)
    }
  }
  const writers = [1, 2, 3].map(write)
  await until(() => stored.length > 50)
  const { passes } = await moveAccount(here.db, there.db, account.slug)
  expect(passes.length).toBeGreaterThan(1)
  const during = stored.length
  await until(() => stored.length > during + 20)
  isOver = true
  await Promise.all(writers)
  const found: string[] = []
  for (let skip = 0; ; skip += 100) {
    const page = (await account.callAt(there, 'listPurchaseOrders', { query: { skip, take: 100 } })).body
    found.push(...page.map(({ po_number }) => po_number))
    if (page.length < 100) break
  }
  expect(found.toSorted()).toEqual(stored.toSorted())
})

test('rows that are changed or removed between two passes are the same there', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  // A transaction that is older than all rows: every pass copies all of them.
  const older = here.db.begin(async (sql) => {
    await sql`select pg_current_xact_id()`
    await held
  })
  const { account, admin, view_id, ids } = await newFullAccount(here)
  // A transaction that holds the account's lock delays its closing, after the first pass.
  const holding = here.db.begin(async (sql) => {
    await sql`select from accounts where account_id = ${account.id} for no key update`
    await held
  })
  const moving = moveAccount(here.db, there.db, account.slug)
  await until(async () => {
    const waiting =
      await here.db`select from pg_stat_activity where wait_event_type = 'Lock' and query like 'update accounts set moved_at%'`
    return waiting.length > 0
  })
  expect((await admin.portal('removeView', { params: { view_id } })).status).toBe(200)
  await here.db`update people set name = 'Renamed' where account_id = ${account.id} and person_id = ${admin.person_id}`
  await here.db`delete from document_waivers where account_id = ${account.id}`
  const before = await rowsOf(here.db, account.id)
  release()
  await Promise.all([older, holding, moving])
  expect(await rowsOf(there.db, await idOf(there.db, account.slug))).toEqual(before)
  expect(
    (await account.callAt(there, 'getShipment', { params: { svc_shipment_id: ids.svc_shipment_id } })).status,
  ).toBe(200)
})

test('a move that was killed is finished by the same command, or cancelled, and the account is never open in both', async () => {
  const account = await newAccount(here)
  await account.call('createPurchaseOrder', { body: { reference: 'P-1', product_lines: [line()] } })
  const command = ['move', '--account', account.slug, '--to', to]
  const isClosed = async () =>
    (await here.db`select from accounts where slug = ${account.slug} and moved_at is not null`).length > 0
  // The move waits for transactions that run when it closes the account.
  const kill = () =>
    here.db.begin(async (sql) => {
      await sql`select pg_current_xact_id()`
      const program = startProgram(command, { env })
      await until(isClosed)
      program.child.kill('SIGKILL')
      await program.ended
    })
  await kill()
  expect(await account.call('listPurchaseOrders')).toBeRefused('service_unavailable')
  expect(await idOf(there.db, account.slug)).toBe(-1)
  const cancelled = await runProgram([...command, '--cancel'], { env })
  expect(cancelled).toMatchObject({ code: 0, stdout: `The account ${account.slug} is open here again.\n` })
  const open = await account.call('listPurchaseOrders')
  expect(open.text).toContain('P-1')

  await kill()
  const finished = await runProgram([...command, '--json'], { env })
  expect(finished.code).toBe(0)
  expect(JSON.parse(finished.stdout)).toMatchObject({ account: account.slug, passes: expect.any(Array) })
  expect((await account.callAt(there, 'listPurchaseOrders')).body).toHaveLength(1)
  expect(await account.call('listPurchaseOrders')).toBeRefused('service_unavailable')
  // Once more, after it has ended: nothing is left to do, and it cannot be taken back.
  expect((await runProgram(command, { env })).code).toBe(0)
  await expect(cancelMove(here.db, there.db, account.slug)).rejects.toThrow('is in the other database already')

  const actionsIn = async ({ db }: typeof here) => {
    const entries = await db<{ action: string; details: unknown }[]>`
      select action, details from audit_log
      where account_id = 0 and subject = ${account.slug} and actor = 'command-line' order by at`
    return entries.map(({ action, details }) => [action, details])
  }
  const details = { operation: 'move' }
  expect((await actionsIn(here)).filter(([action]) => action !== 'account_created')).toEqual([
    ['operator_acted', { ...details, cancelled: true }],
    ['exported', details],
    ['exported', details],
  ])
  expect(await actionsIn(there)).toEqual([
    ['imported', details],
    ['imported', details],
  ])
})

test('an account moves back to where it came from', async () => {
  const account = await newAccount(here)
  await moveAccount(here.db, there.db, account.slug)
  const body = { reference: 'P-2', product_lines: [line()] }
  expect((await account.callAt(there, 'createPurchaseOrder', { body })).status).toBe(201)
  await moveAccount(there.db, here.db, account.slug)
  expect((await account.call('listPurchaseOrders')).body).toMatchObject([{ po_number: 'P-2' }])
  expect(await account.callAt(there, 'listPurchaseOrders')).toBeRefused('service_unavailable')
})

test('what cannot be moved is named, and stays open', async () => {
  const account = await newAccount(here)
  await there.db`insert into accounts (slug, name) values (${account.slug}, 'Another')`
  const taken = await runProgram(['move', '--account', account.slug, '--to', to], { env })
  expect(taken).toMatchObject({
    code: 1,
    stderr: `waybill: the other database has an account ${account.slug} already\n`,
  })
  const person = await newPerson(here, account)
  const other = await newAccount(there)
  await newPerson(there, other, 'viewer', { email: person.email })
  await there.db`delete from accounts where slug = ${account.slug}`
  const known = await runProgram(['move', '--account', account.slug, '--to', to], { env })
  expect(known.stderr).toMatch(/^waybill: the other database has a row of people: Key .* already exists\.\n$/)
  const unknown = await runProgram(['move', '--account', 'nobody', '--to', to], { env })
  expect(unknown).toMatchObject({ code: 1, stderr: 'waybill: there is no account nobody\n' })
  const itself = await runProgram(['move', '--account', account.slug, '--to', env.DATABASE_URL], { env })
  expect(itself).toMatchObject({
    code: 1,
    stderr: 'waybill: --to leads to the database that the account is in\n',
  })
  const older = await ownDatabase('move_older')
  await older`delete from schema_migrations where version = ${schemaVersion}`
  await expect(moveAccount(here.db, older, account.slug)).rejects.toThrow('migrate both first')
  expect((await account.call('listPurchaseOrders')).status).toBe(200)
  await older.end()
})

test('an account with the number of an invoice of the other installation is not moved, and later numbers follow its own', async () => {
  const [one, other] = [await startInvoicing(here), await startInvoicing(there)]
  const issue = async ({ draft, issue: give }: typeof one, year: number) =>
    (await give(await draft(charge(1)), { sent_date: `${year}-06-01T12:00:00Z` })).record.number
  expect(await issue(one, 1960)).toBe('INV-1960-000001')
  expect(await issue(other, 1960)).toBe('INV-1960-000001')
  await expect(moveAccount(here.db, there.db, one.slug)).rejects.toThrow(
    'another account of the other database has an invoice INV-1960-000001 too',
  )
  expect((await one.call('listInvoices')).body).toHaveLength(1)
  const free = await startInvoicing(here)
  expect(await issue(free, 1961)).toBe('INV-1961-000001')
  await moveAccount(here.db, there.db, free.slug)
  expect(await issue(other, 1961)).toBe('INV-1961-000002')

  // An invoice that is being issued there, when the numbers are compared.
  const late = await startInvoicing(here)
  expect(await issue(late, 1962)).toBe('INV-1962-000001')
  let moving: Promise<unknown> | undefined
  await there.db.begin(async (sql) => {
    await takeNumber(sql, { series: 'INV', year: 1962 }, '1962-06-01')
    moving = moveAccount(here.db, there.db, late.slug).catch((error: unknown) => error)
    await until(async () => {
      const waiting =
        await there.db`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%into number_series%'`
      return waiting.length > 0
    })
    await sql`
      insert into invoices (account_id, reference, number, type, status, newest_first, revision, body)
      values (${await idOf(there.db, other.slug)}, 'R', 'INV-1962-000001', 'invoice', 'due', 1, 1, '{}')`
  })
  expect(String(await moving)).toContain('has an invoice INV-1962-000001 too')
})

test('a wrong --to of a move is reported in one sentence, with what to do', async () => {
  const { slug } = await newAccount(here)
  const move = (url: string) => runProgram(['move', '--account', slug, '--to', url], { env })
  expect(await move('second.example/waybill')).toMatchObject({
    code: 2,
    stderr: 'waybill: --to must be a valid address that starts with postgres:// or postgresql://\n',
  })
  const away = await move('postgres://waybill@127.0.0.1:1/waybill')
  expect(away).toMatchObject({ code: 1 })
  expect(away.stderr).toMatch(
    /^waybill: the database at 127\.0\.0\.1:1 cannot be reached \(.+\): start PostgreSQL there, or correct --to\n$/,
  )
  const name = `waybill_empty_${process.pid}`
  await administer(inject('serverUrl'), `create database ${name}`)
  const empty = await move(withDatabase(inject('serverUrl'), name))
  await administer(inject('serverUrl'), `drop database ${name} with (force)`)
  expect(empty.stderr).toMatch(/^waybill: the databases have schema versions \d+ and 0: migrate both first\n$/)
})
