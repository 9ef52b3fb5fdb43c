import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { line, newAccount } from '../../support/account.js'
import { newClientAddress } from '../../support/person.js'
import { startService } from '../../support/service.js'

const offering = await startService({ portal: { sendMail: async () => {}, offersTracking: true } })

async function start(status: 'in_progress' | 'draft' = 'in_progress') {
  const account = await newAccount(offering)
  const mark = randomBytes(5).toString('hex').toUpperCase()
  const svc_shipment_id = `S-${mark}`
  await account.forwarder.imports(
    {
      kind: 'location',
      data: { id: 7, company_name: 'Hidden Buyers', zip_code: 'SW1A 1AA', city: 'London', country: 'GB' },
    },
    {
      kind: 'shipment',
      data: {
        svc_shipment_id,
        name: 'Hidden launch',
        status,
        freight_mode: 'ocean',
        route: { origin_port_unlocode: 'CN/SHA', destination_port_unlocode: 'GB/FXT', delivery_location_id: '7' },
        booking_information: { carrier: 'Hidden Line', house_bill: `HB-${mark}` },
        commercial_value: { amount: 98_765, currency: 'EUR' },
      },
    },
  )
  return { ...account, svc_shipment_id, mark }
}

async function track(number: string, fact: string, { baseUrl } = offering, address = newClientAddress()) {
  const response = await fetch(`${baseUrl}/portal/v1/public-tracking`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ number, fact }),
  })
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text) as { code?: string; shipment?: object } }
}

test('a number and a postcode show the journey, and neither name, parties nor prices', async () => {
  const { svc_shipment_id, mark } = await start()
  const { status, text, body } = await track(`hb ${mark.toLowerCase()}`, 'sw1a1aa')
  expect(status).toBe(200)
  expect(body.shipment).toMatchObject({ svc_shipment_id, status: 'in_progress' })
  expect(text).not.toMatch(/Hidden|98.?765|SW1A/)
})

test('the number of an order on the shipment will do as well; the number itself will not', async () => {
  const { forwarder, svc_shipment_id, mark } = await start()
  const reference = `PO/${mark}`
  await forwarder.imports(
    { kind: 'purchase_order', data: { reference, product_lines: [line({ reference: '1', ordered_quantity: 5 })] } },
    { kind: 'assignment', data: { reference, line: '1', svc_shipment_id, assigned_quantity: 5 } },
  )
  expect((await track(svc_shipment_id, reference)).status).toBe(200)
  expect((await track(svc_shipment_id, svc_shipment_id)).status).toBe(404)
  expect((await track(reference, reference)).status).toBe(404)
})

test('a reference of the customer on the shipment or a container will do as well, unless it is a public number', async () => {
  const { forwarder, svc_shipment_id, mark } = await start()
  await forwarder.imports({
    kind: 'shipment',
    data: {
      svc_shipment_id,
      status: 'in_progress',
      booking_information: { house_bill: `HB-${mark}` },
      purchase_order_references: [`CON-${mark}`, `HB-${mark}`],
      cargo: { containers: [{ container_number: 'MSCU0001019', purchase_order_references: [`BOX-${mark}`] }] },
    },
  })
  expect((await track(svc_shipment_id, `box ${mark}`)).status).toBe(200)
  expect((await track(svc_shipment_id, `con${mark}`)).status).toBe(200)
  for (const known of [`HB-${mark}`, 'MSCU0001019']) expect((await track(svc_shipment_id, known)).status).toBe(404)
})

test('wrong facts, unknown numbers and drafts look the same, and repeated attempts have to wait', async () => {
  const { svc_shipment_id, mark } = await start()
  const draft = await start('draft')
  const wrong = await track(svc_shipment_id, 'SW1A 1AB')
  const withoutId = (text: string) => text.replace(/"request_id":"[^"]*"/, '')
  expect(wrong.body.code).toBe('number_or_fact_wrong')
  expect(withoutId((await track(`X${mark}`, 'SW1A 1AA')).text)).toBe(withoutId(wrong.text))
  expect(withoutId((await track(draft.svc_shipment_id, 'SW1A 1AA')).text)).toBe(withoutId(wrong.text))
  const statuses: number[] = []
  const stranger = newClientAddress()
  const tryAs = (address: string, fact: string) => track(svc_shipment_id, fact, offering, address)
  for (let tried = 0; tried < 11; tried++) statuses.push((await tryAs(stranger, `1000${tried}`)).status)
  expect(statuses).toContain(429)
  expect((await tryAs(stranger, 'SW1A 1AA')).status).toBe(429)
  expect((await track('--', 'x')).status).toBe(400)
})

test('a stranger who fails on purpose keeps nobody else from a number, until many networks have failed', async () => {
  const { svc_shipment_id } = await start()
  const tryAs = (address: string, fact: string) => track(svc_shipment_id, fact, offering, address)
  const fails = async (times: number) => {
    const stranger = newClientAddress()
    for (let tried = 0; tried < times; tried++) await tryAs(stranger, `1000${tried}`)
  }
  const consignee = newClientAddress()
  await fails(11)
  expect((await tryAs(consignee, 'SW1A 1AA')).status).toBe(200)
  // Successes do not count, and take back nothing of what others failed.
  for (let network = 0; network < 12; network++) await fails(9)
  expect((await tryAs(consignee, 'SW1A 1AA')).status).toBe(429)
})

test('public tracking is off unless an operator turns it on', async () => {
  const usual = await startService()
  const { svc_shipment_id } = await start()
  expect((await track(svc_shipment_id, 'SW1A 1AA', usual)).body.code).toBe('public_tracking_off')
})
