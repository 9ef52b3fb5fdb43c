import { expect, test } from 'vitest'
import { line } from '../../support/account.js'
import { containerNumber } from '../../support/containers.js'
import { startForwarding } from '../../support/forwarder.js'
import { startService } from '../../support/service.js'

const service = await startService()

async function start() {
  const forwarding = await startForwarding(service)
  const found = async (reference: string) => {
    const { body } = await forwarding.ops('lookUpReference', undefined, { query: { reference } })
    return body.shipments.filter(({ account }) => account === forwarding.slug)
  }
  return { ...forwarding, found }
}

test('a reference finds the shipments of all accounts that have it, written with separators or without', async () => {
  const [one, other] = [await start(), await start()]
  const number = containerNumber(4711)
  const cargo = { containers: [{ container_number: number }] }
  const first = await one.shipment({ cargo, status: 'booked' })
  const second = await other.shipment({
    cargo,
    booking_information: { master_bill: 'MAEU 123-456', ocean_booking: { booking_number: `bk-${number}` } },
  })
  const written = `${number.slice(0, 4).toLowerCase()} ${number.slice(4, 10)}-${number.slice(10)}`
  const expected = { account: one.slug, svc_shipment_id: first, kind: 'container', status: 'booked' }
  expect(await one.found(written)).toEqual([expected])
  expect(await other.found(number)).toMatchObject([{ svc_shipment_id: second, kind: 'container' }])
  expect(await other.found(`BK${number}`)).toMatchObject([{ svc_shipment_id: second, kind: 'booking' }])
  expect(await other.found('maeu123456')).toMatchObject([{ svc_shipment_id: second, kind: 'master_bill' }])
  expect(await other.found(second)).toMatchObject([{ svc_shipment_id: second, kind: 'shipment' }])
  expect(await other.found('MAEU123')).toEqual([])
})

test('a reference that a shipment no longer has finds nothing, and one that an import brings is found', async () => {
  const { work, shipment, found, forwarder, slug } = await start()
  const booking = (booking_number: string) => ({ booking_information: { ocean_booking: { booking_number } } })
  const svc_shipment_id = await shipment(booking(`A-${slug}`))
  await work('updateShipment', { params: { svc_shipment_id }, body: booking(`B-${slug}`) })
  expect(await found(`A-${slug}`)).toEqual([])
  expect(await found(`B-${slug}`)).toMatchObject([{ svc_shipment_id }])
  await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'IMPORTED', ...booking(`C-${slug}`) } })
  expect(await found(`C-${slug}`)).toMatchObject([{ svc_shipment_id: 'IMPORTED', kind: 'booking' }])
})

test('a shipment is found by the orders that are assigned to it, as long as a line of them is', async () => {
  const { work, found, forwarder, slug } = await start()
  const reference = `PO ${slug}`
  const product = { sku: 'LAMP-1' }
  await forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'S-1', status: 'booked' } },
    {
      kind: 'purchase_order',
      data: { reference, product_lines: ['1', '2'].map((each) => ({ reference: each, ordered_quantity: 5, product })) },
    },
    { kind: 'assignment', data: { reference, line: '1', svc_shipment_id: 'S-1', assigned_quantity: 5 } },
  )
  const params = (of: string) => ({ reference, line: of, svc_shipment_id: 'S-1' })
  await work('assign', { params: params('2'), body: { assigned_quantity: 3 } })
  await work('updateShipment', {
    params: { svc_shipment_id: 'S-1' },
    body: { booking_information: { master_bill: `020-${slug}` } },
  })
  expect(await found(`PO-${slug}`)).toMatchObject([{ svc_shipment_id: 'S-1', kind: 'purchase_order' }])
  await work('unassign', { params: params('1') })
  expect(await found(reference)).toHaveLength(1)
  await work('unassign', { params: params('2') })
  expect(await found(reference)).toEqual([])
})

test('an order without a shipment, and an invoice by number or reference, are found in any case', async () => {
  const { work, call, slug, ops } = await start()
  const lookUp = async (reference: string) => {
    const { body } = await ops('lookUpReference', undefined, { query: { reference } })
    const own = <Found extends { account: string }>(rows: Found[]) => rows.filter(({ account }) => account === slug)
    return { orders: own(body.orders), invoices: own(body.invoices) }
  }
  await call('createPurchaseOrder', { body: { reference: `Po ${slug}`, product_lines: [line()] } })
  expect(await lookUp(` PO ${slug}`)).toEqual({ orders: [{ account: slug, reference: `Po ${slug}` }], invoices: [] })
  const lines = [{ description: 'Freight', price: { amount: 100, currency: 'EUR' as const } }]
  await work('draftInvoice', { body: { reference: `ref-${slug}`, lines } })
  expect((await lookUp(`REF-${slug}`)).invoices).toMatchObject([{ account: slug, reference: `ref-${slug}` }])
  const issued = await work('issueInvoice', { params: { reference: `ref-${slug}` }, body: {} })
  const { number } = issued.body.record
  const found = [{ account: slug, reference: `ref-${slug}`, number, status: 'available' }]
  expect((await lookUp(number?.toLowerCase() ?? '')).invoices).toEqual(found)
  expect((await lookUp(`ref-${slug}`)).invoices).toEqual(found)
})
