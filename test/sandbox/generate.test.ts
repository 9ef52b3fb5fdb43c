import { expect, test } from 'vitest'
import type { ImportLine } from '../../src/contract/import-line.js'
import { printSpecimen } from '../../src/sandbox/document-pdf.js'
import { generateLines } from '../../src/sandbox/generate.js'
import { textOf } from '../support/pdf-text.js'
import {
  expectReferencesToResolve,
  expectSoundBooking,
  expectSoundCargo,
  expectSoundInvoice,
  expectSoundOrders,
  expectValid,
  linesOf,
} from './consistency.js'
import { expectSoundTracking } from './tracking-consistency.js'

const today = '2026-03-10'
const now = Date.parse(`${today}T00:00:00Z`)
const options = { accounts: 24, shipments: 40, seed: 'test', today }
const lines = [...generateLines(options)]

test('every generated line is valid, without unknown fields', () => {
  expectValid(lines)
  expect(linesOf(lines, 'shipment')).toHaveLength(24 * 40)
})

test('every account has the requested number of shipments, and a unique slug', () => {
  const slugs = linesOf(lines, 'account').map(({ account }) => account)
  expect(new Set(slugs).size).toBe(24)
  for (const slug of slugs) {
    expect(slug).toMatch(/^[a-z]+-[a-z]+-\d+$/)
    expect(linesOf(lines, 'shipment', slug)).toHaveLength(40)
  }
})

test('records come before references to them, and identifiers are unique within an account', () => {
  expectReferencesToResolve(lines)
})

test('shipment identifiers have a valid check character', () => {
  for (const { data } of linesOf(lines, 'shipment')) expect(data.svc_shipment_id).toMatch(/^SHP-[2-9A-HJKMNP-Z]{6}$/)
})

test('cargo totals add up, and loads fit their containers', () => {
  for (const { data } of linesOf(lines, 'shipment')) expectSoundCargo(data)
})

test('bookings match the mode and the status', () => {
  for (const { data } of linesOf(lines, 'shipment')) expectSoundBooking(data)
})

test('invoice totals add up, and statuses match their dates', () => {
  for (const line of linesOf(lines, 'invoice')) expectSoundInvoice(line, today)
})

test('no order is assigned or shipped beyond the ordered quantity', () => {
  expectSoundOrders(lines)
  const orders = linesOf(lines, 'purchase_order')
  const assigned = new Set(linesOf(lines, 'assignment').map(({ account, data }) => `${account} ${data.reference}`))
  expect(orders.some(({ account, data }) => !assigned.has(`${account} ${data.reference}`))).toBe(true)
  expect(orders.some(({ data }) => data.reference.includes('/'))).toBe(true)
})

test('some orders are shipped in parts, on several shipments', () => {
  const shipmentsOf = new Map<string, Set<string>>()
  for (const { account, data } of linesOf(lines, 'assignment')) {
    const key = `${account} ${data.reference} ${data.line}`
    shipmentsOf.set(key, (shipmentsOf.get(key) ?? new Set()).add(data.svc_shipment_id))
  }
  expect([...shipmentsOf.values()].some(({ size }) => size > 1)).toBe(true)
})

test('tracking matches the shipment as of today', () => {
  expectSoundTracking(lines, now)
})

test('derived fields are not generated', () => {
  const derived = ['purchase_order_references', 'invoice_references', 'invoice_status', 'main_tracking_dates']
  for (const { data } of linesOf(lines, 'shipment')) for (const name of derived) expect(data).not.toHaveProperty(name)
})

test('some shipments are late, some had a problem, some changed ships', () => {
  const trackings = linesOf(lines, 'tracking').map(({ data }) => data)
  const steps = trackings.flatMap(({ tracking_steps }) => tracking_steps!)
  expect(steps.some(({ type }) => type === 'transshipment_port')).toBe(true)
  expect(steps.some(({ type }) => type === 'inland_terminal')).toBe(true)
  expect(steps.some(({ events }) => events!.some(({ status }) => status === 'problem'))).toBe(true)
  const desired = new Map<string, string>()
  for (const { account, data } of linesOf(lines, 'shipment')) {
    desired.set(`${account} ${data.svc_shipment_id}`, data.desired_delivery_date!)
  }
  const late = linesOf(lines, 'tracking').filter(({ account, data }) => {
    const delivered = data
      .tracking_steps!.flatMap(({ events }) => events!)
      .findLast(({ description, status }) => status === 'actual' && description!.startsWith('Delivered'))
    return delivered && delivered.date!.slice(0, 10) > desired.get(`${account} ${data.svc_shipment_id}`)!
  })
  expect(late.length).toBeGreaterThan(10)
  expect(late.length).toBeLessThan(600)
})

test('some postal codes and telephone numbers are integers, and some cannot be', () => {
  const locations = linesOf(lines, 'location').map(({ data }) => data)
  const phones = locations.flatMap(({ contacts }) => contacts!.map(({ phone }) => phone))
  for (const values of [locations.map(({ zip_code }) => zip_code), phones]) {
    expect(values.some(Number.isInteger)).toBe(true)
    expect(values.some((value) => typeof value === 'string' && !/^\d+$/.test(value))).toBe(true)
  }
})

test('the same seed gives the same lines, and another seed gives others', () => {
  const small = { ...options, accounts: 2, shipments: 10 }
  const text = (seed: string) => [...generateLines({ ...small, seed })].map((line) => JSON.stringify(line)).join('\n')
  expect(text('a')).toBe(text('a'))
  expect(text('a')).not.toBe(text('b'))
})

test('an account does not depend on the number of accounts', () => {
  const third = (accounts: number) => {
    const slug = linesOf([...generateLines({ ...options, accounts: 3, shipments: 5 })], 'account')[2]!.account
    return [...generateLines({ ...options, accounts, shipments: 5 })].filter(({ account }) => account === slug)
  }
  expect(third(3).length).toBeGreaterThan(10)
  expect(third(9)).toEqual(third(3))
})

test('lines are generated lazily', () => {
  const endless = generateLines({ ...options, accounts: 1e9, shipments: 1e9 })
  const first: ImportLine[] = []
  for (const line of endless) if (first.push(line) === 50) break
  expect(first.map(({ kind }) => kind)).toContain('shipment')
})

test('documents are generated on request, as PDFs that name their shipment and have a valid cross-reference table', async () => {
  expect(linesOf(lines, 'document')).toHaveLength(0)
  const withDocuments = [...generateLines({ ...options, accounts: 2, shipments: 20, specimen: await printSpecimen() })]
  expectValid(withDocuments)
  expectReferencesToResolve(withDocuments)
  const documents = linesOf(withDocuments, 'document')
  expect(documents.length).toBeGreaterThan(20)
  for (const { data } of documents) {
    const bytes = Buffer.from(data.content_base64!, 'base64')
    expect(bytes).toHaveLength(data.size!)
    const text = bytes.toString('latin1')
    expect(textOf(bytes)).toContain(data.svc_shipment_id)
    expect(text).toContain(`(${data.id})`)
    const start = Number(/startxref\n(\d+)\n%%EOF/.exec(text)![1])
    expect(text.slice(start, start + 4)).toBe('xref')
    const offsets = [...text.matchAll(/^(\d{10}) 00000 n/gm)].map(([, offset]) => Number(offset))
    offsets.forEach((offset, index) => expect(text.startsWith(`${index + 1} 0 obj`, offset)).toBe(true))
  }
})
