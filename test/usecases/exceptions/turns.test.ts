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
