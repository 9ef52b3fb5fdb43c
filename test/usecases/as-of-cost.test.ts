import { expect, test } from 'vitest'
import { DocumentRecord } from '../../src/contract/public/document.js'
import { InvoiceRecord } from '../../src/contract/public/invoice.js'
import { ShipmentRecord } from '../../src/contract/public/shipment.js'
import type { TransactionSql } from '../../src/database/database.js'
import { findRevisionAt, listIdsAt, listVersionsOf } from '../../src/ledger/history.js'
import { shipmentsShownAt } from '../../src/usecases/history/as-of.js'
import { invoicesShown } from '../../src/usecases/invoices/invoice-record.js'
import { startForwarding } from '../support/forwarder.js'
import { serviceOnNewDatabase } from '../support/round-trip.js'

/** The cost of reads of the past, in rows of the change log that PostgreSQL counts. */

const service = await serviceOnNewDatabase('as_of_cost')

// Lists of the past rely on it: they read their sort keys from the text of a record.
test.each([
  ['created_at', ShipmentRecord],
  ['sent_date', InvoiceRecord],
  ['svc_shipment_id', InvoiceRecord],
  ['credited_invoice', InvoiceRecord],
  ['uploaded_at', DocumentRecord],
])('only one field of a record is called %s', (name, record) => {
  expect(fieldsOf(record).filter((each) => each === name)).toEqual([name])
})

function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {} } = schema as { properties?: object }
  return [...Object.keys(properties), ...Object.values(schema).flatMap(fieldsOf)]
}

test('a read of the past reads few rows if little has changed since, whatever the size of the account', async () => {
  const { id: account, work, forwarder, lastChange } = await startForwarding(service)
  const numbers = Array.from({ length: 1000 }, (_, index) => index)
  await forwarder.imports(
    ...numbers.map((n) => ({ kind: 'shipment' as const, data: { svc_shipment_id: `S-${n}`, created_at: dateOf(n) } })),
    ...numbers.map((n) => ({
      kind: 'invoice' as const,
      data: { reference: `I-${n}`, svc_shipment_id: `S-${n}`, sent_date: dateOf(n) },
    })),
  )
  const revision = await findRevisionAt(service.db, account, await lastChange())
  await work('updateShipment', { params: { svc_shipment_id: 'S-999' }, body: { created_at: '2001-01-01T00:00:00Z' } })
  await work('updateShipment', { params: { svc_shipment_id: 'S-5' }, body: { name: 'x' } })
  await service.db`analyze`

  await service.db.begin(async (sql) => {
    const before = await rowsRead(sql)
    const ids = await listIdsAt(sql, account, 'shipment', revision, { skip: 0, take: 10 })
    const shipments = await listVersionsOf(sql, account, 'shipment', ids, revision)
    const shown = await shipmentsShownAt(sql, account, shipments, revision)
    expect([...shown.keys()]).toEqual(
      numbers
        .slice(-10)
        .toReversed()
        .map((n) => `S-${n}`),
    )
    const references = await listIdsAt(sql, account, 'invoice', revision, { skip: 0, take: 10 })
    const invoices = await listVersionsOf(sql, account, 'invoice', references, revision)
    expect(await invoicesShown(sql, account, invoices, revision)).toHaveLength(10)
    expect((await rowsRead(sql)) - before).toBeLessThan(200)
  })
})

function dateOf(day: number): string {
  return new Date(Date.UTC(2020, 0, 1 + day)).toISOString()
}

async function rowsRead(sql: TransactionSql): Promise<number> {
  const [row] = await sql<{ rows: number }[]>`
    select sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))::bigint as rows
    from pg_class where relname = 'changes'`
  return row?.rows ?? 0
}
