import { expect, inject, test } from 'vitest'
import { openDatabase } from '../../../src/database/database.js'
import { migrate } from '../../../src/database/migrate.js'
import { administer, withDatabase } from '../../support/database.js'
import { charge, startInvoicing } from '../../support/invoices.js'
import { newOperator } from '../../support/operator.js'
import { startService } from '../../support/service.js'

// A database of its own: the forwarder's settings concern all accounts.
const name = `prefixes_${process.pid}_${Date.now()}`
await administer(inject('serverUrl'), `create database ${name}`)
const db = openDatabase({ url: withDatabase(inject('serverUrl'), name) }, { connections: 5 })
await migrate(db)
const service = await startService({ db })
const admin = await newOperator(service)

const set = (number_prefixes: { invoice?: string; credit_note?: string }) =>
  admin.ops('setBillingSettings', undefined, { body: { number_prefixes } })
const inYear = (year: number) => ({ sent_date: `${year}-06-01T12:00:00Z` })

test('numbers begin with the prefixes of the settings, each with a series of its own', async () => {
  const { draft, issue, credit } = await startInvoicing(service)
  expect((await issue(await draft(charge(1)), inYear(1950))).record.number).toBe('INV-1950-000001')
  expect((await set({ invoice: 'RE', credit_note: 'GS' })).status).toBe(200)
  const reference = await draft(charge(1))
  expect((await issue(reference, inYear(1950))).record.number).toBe('RE-1950-000001')
  const note = (await credit(reference, charge(1))).body.id
  expect((await issue(note, inYear(1950))).record.number).toBe('GS-1950-000001')
  await set({})
  expect((await issue(await draft(charge(1)), inYear(1950))).record.number).toBe('INV-1950-000002')
  const { series } = (await admin.ops('getBillingSettings', undefined)).body
  expect(series.map((each) => each.series)).toEqual(['GS', 'INV', 'RE'])
})

test('a prefix has capital letters and digits, and those of invoices and credit notes differ', async () => {
  for (const prefixes of [{ invoice: 're' }, { invoice: 'R-E' }, { invoice: '1A' }, { invoice: 'CN' }]) {
    expect(await set(prefixes)).toBeRefused('invalid_request')
  }
})

test('numbers of earlier and other prefixes stay unique: imported ones are not given again', async () => {
  const { forwarder, slug, ops, draft, issue } = await startInvoicing(service)
  await set({ invoice: 'RA' })
  expect((await issue(await draft(charge(1)), inYear(1951))).record.number).toBe('RA-1951-000001')
  await set({})
  const line = (reference: string, more: object) => ({ kind: 'invoice' as const, data: { reference, ...more } })
  await forwarder.imports(line('A', { number: 'RA-1951-000007' }), line('B', { number: 'RX-1951-000041' }))
  // A number that another system gave may be corrected, one of our series not.
  await forwarder.imports(line('B', { number: 'RX-1951-000042' }))
  const renumbered = await forwarder.triesToImport(line('A', { number: 'RA-1951-000008' }))
  expect(renumbered.faults).toHaveLength(1)
  expect((await forwarder.triesToImport(line('C', { number: 'RA-1951-000009', draft: true }))).faults).toHaveLength(1)
  const drafted = (reference: string) => ops('draftInvoice', slug, { body: { reference, lines: [charge(1)] } })
  expect(await drafted('RA-1951-000010')).toBeRefused('invalid_request')
  expect((await drafted('RX-1951-000043')).status).toBe(201)
  await set({ invoice: 'RA', credit_note: 'RX' })
  expect((await issue(await draft(charge(1)), inYear(1951))).record.number).toBe('RA-1951-000008')
  await set({ invoice: 'RX' })
  expect((await issue(await draft(charge(1)), inYear(1951))).record.number).toBe('RX-1951-000044')
  await set({})
})

test('a new prefix begins after the numbers with it that were imported for any account', async () => {
  const [customer, other] = [await startInvoicing(service), await startInvoicing(service)]
  await other.forwarder.imports(
    { kind: 'invoice', data: { reference: 'A', number: 'RB-1952-000006' } },
    { kind: 'invoice', data: { reference: 'B', number: 'RBX-1952-000090' } },
  )
  await set({ invoice: 'RB' })
  const { record } = await customer.issue(await customer.draft(charge(1)), inYear(1952))
  expect(record.number).toBe('RB-1952-000007')
  await set({})
})
