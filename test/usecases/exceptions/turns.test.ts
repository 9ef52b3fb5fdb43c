import { expect, test } from 'vitest'
import { evaluateDue } from '../../../src/usecases/exceptions/run-exceptions.js'
import { line, newAccount } from '../../support/account.js'
import { evaluate } from '../../support/exceptions.js'
import { ownDatabase } from '../../support/own-database.js'
import { startService } from '../../support/service.js'

const service = await startService({ db: await ownDatabase('exception_turns') })
const { db } = service

test('what changed in one account is evaluated before what became due by the clock in another', async () => {
  const waiting = await newAccount(service)
  await waiting.forwarder.imports(
    ...['S1', 'S2'].map((svc_shipment_id) => ({
      kind: 'shipment' as const,
      data: { svc_shipment_id, status: 'in_progress' as const, desired_delivery_date: '2026-03-01' },
    })),
  )
  await evaluate(service, waiting.id, '2026-02-01T00:00:00Z')
  const changed = await newAccount(service)
  await changed.call('createPurchaseOrder', {
    body: { reference: 'PO', desired_ex_factory_date: '2026-01-31', product_lines: [line({ reference: '1' })] },
  })
  await waiting.forwarder.imports({
    kind: 'shipment',
    data: { svc_shipment_id: 'S2', status: 'in_progress', desired_delivery_date: '2026-02-20' },
  })
  await evaluateDue(db, Date.parse('2026-03-09T00:00:00Z'), AbortSignal.timeout(60_000))
  const raised = await db<{ account_id: number; subject: string }[]>`
    select account_id, coalesce(record::jsonb ->> 'svc_shipment_id', record::jsonb ->> 'po_number') as subject from changes
    where kind = 'exception' order by at, revision`
  expect(raised).toEqual([
    { account_id: waiting.id, subject: 'S2' },
    { account_id: changed.id, subject: 'PO' },
    { account_id: waiting.id, subject: 'S1' },
  ])
})

const overdue = { reference: 'PO', desired_ex_factory_date: '2026-01-31', product_lines: [line({ reference: '1' })] }
const later = Date.parse('2026-03-09T00:00:00Z')

async function accountsWithChanges(count: number) {
  await evaluateDue(db, later, AbortSignal.timeout(60_000))
  const accounts = await Promise.all(Array.from({ length: count }, () => newAccount(service)))
  for (const { call } of accounts) expect((await call('createPurchaseOrder', { body: overdue })).status).toBe(201)
  return accounts
}

async function raisedOf(ids: number[]) {
  return db<{ account_id: number; transaction: string }[]>`
    select account_id, xmin::text as transaction from exceptions where account_id = any(${ids}::integer[]) order by account_id`
}

test('accounts with changes are evaluated in one transaction', async () => {
  const ids = (await accountsWithChanges(10)).map(({ id }) => id)
  await evaluateDue(db, later, AbortSignal.timeout(60_000))
  const raised = await raisedOf(ids)
  expect(raised.map(({ account_id }) => account_id)).toEqual(ids.toSorted((one, other) => one - other))
  expect(new Set(raised.map(({ transaction }) => transaction)).size).toBe(1)
})

test('an account that is locked is evaluated once it is free, and holds up none that are evaluated with it', async () => {
  const [busy, free] = (await accountsWithChanges(2)) as [Account, Account]
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let holding: Promise<void> | undefined
  await new Promise<void>((resolve) => {
    holding = db.begin(async (sql) => {
      await sql`select from accounts where account_id = ${busy.id} for no key update`
      resolve()
      await held
    })
  })
  const evaluated = evaluateDue(db, later, AbortSignal.timeout(60_000))
  await expect.poll(() => raisedOf([busy.id, free.id])).toMatchObject([{ account_id: free.id }])
  expect((await free.call('createPurchaseOrder', { body: { ...overdue, reference: 'PO2' } })).status).toBe(201)
  release()
  await holding
  await evaluated
  expect(await raisedOf([busy.id])).toHaveLength(1)
  expect(await raisedOf([free.id])).toHaveLength(2)
})

type Account = Awaited<ReturnType<typeof newAccount>>
