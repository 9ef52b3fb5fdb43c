import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { line } from '../../support/account.js'
import { uniqueContainer } from '../../support/messages.js'
import { addByScreen, createByScreen, expectSeen, type FileEvent, planByScreen, startScreens } from './office-file.js'
import { expectAccessible, startPortal } from './support.js'

/** The files of `test/api/files`, by the office's screens alone, with the customer's view after each step. */

const portal = await startPortal()
const unique = (prefix: string) => `${prefix}${randomBytes(4).toString('hex').toUpperCase()}`

/** A new shipment has no tracking. */
async function startFile(shipment: Parameters<typeof createByScreen>[2], ports: string[]) {
  const screens = await startScreens(portal)
  const { page, slug } = screens
  portal.expectFailures(`/ops/v1/accounts/${slug}/shipments/`)
  const id = await createByScreen(page, slug, shipment)
  await planByScreen(page, ports)
  return {
    ...screens,
    id,
    add: (event: FileEvent) => addByScreen(page, event),
    sees: (expected: Parameters<typeof expectSeen>[1]) => expectSeen(page, expected),
  }
}

test('ocean: two containers, a rollover, a hold and two deliveries, by screens alone', async () => {
  const [one, two] = [uniqueContainer(), uniqueContainer()]
  const { add, sees, page } = await startFile(
    { mode: 'ocean', load: 'fcl', fields: { 'Booking number': unique('BK') }, containers: [one, two] },
    ['CN/NGB', 'SG/SIN', 'DE/HAM'],
  )
  const [pickup, origin, hub, destination, delivery] = [1, 2, 3, 4, 5] as const
  await add({ at: origin, code: 'DEPARTED', status: 'planned', on: '03-09T08:00' })
  await add({ at: destination, code: 'ARRIVED', status: 'planned', on: '04-08T08:00' })
  await add({ at: delivery, code: 'DELIVERED', status: 'planned', on: '04-11T09:00' })
  await sees({
    status: 'Booked',
    departure: '2026-03-09 planned',
    arrival: '2026-04-08 planned',
    delivery: '2026-04-11 planned',
  })
  await add({ at: pickup, code: 'PICKED_UP', on: '03-04T11:00' })
  await sees({ status: 'In progress', pickup: '2026-03-04 actual', departure: '2026-03-09 planned' })

  // One is loaded, the other rolled: the vessel departs without it.
  await add({ at: origin, code: 'LOADED', on: '03-08T20:00', container: one })
  await add({ at: origin, code: 'ROLLED', on: '03-08T22:00', container: two })
  await sees({ departure: '2026-03-09 problem', arrival: '2026-04-08 planned' })
  await add({ at: origin, code: 'DEPARTED', on: '03-10T06:00', container: one })
  await sees({ departure: '2026-03-09 problem' })
  await add({ at: origin, code: 'DEPARTED', status: 'estimated', on: '03-17T08:00', container: two })
  await add({ at: destination, code: 'ARRIVED', status: 'estimated', on: '04-15T08:00', container: two })
  await sees({ departure: '2026-03-17 estimated', arrival: '2026-04-15 estimated' })
  await add({ at: origin, code: 'DEPARTED', on: '03-17T10:00', container: two })
  await sees({ departure: '2026-03-17 actual', arrival: '2026-04-15 estimated' })

  await add({ at: hub, code: 'ARRIVED', on: '03-23T20:00' })
  await add({ at: hub, code: 'DEPARTED', on: '03-26T18:00' })
  await add({ at: destination, code: 'ARRIVED', status: 'estimated', on: '04-18T08:00' })
  await sees({ arrival: '2026-04-18 estimated' })
  await add({ at: destination, code: 'ARRIVED', on: '04-17T22:00' })
  await sees({ arrival: '2026-04-17 actual' })

  // Customs hold one of them; the other is delivered.
  await add({ at: delivery, code: 'DELIVERED', status: 'estimated', on: '04-21T09:00' })
  await add({ at: destination, code: 'CUSTOMS_HOLD', on: '04-19T10:00', container: two })
  await sees({ delivery: '2026-04-21 problem' })
  await add({ at: delivery, code: 'DELIVERED', on: '04-20T14:00', container: one })
  await sees({ status: 'In progress', delivery: '2026-04-21 problem' })
  await add({ at: destination, code: 'CUSTOMS_RELEASED', on: '04-22T10:00', container: two })
  await sees({ delivery: '2026-04-21 estimated' })
  await add({ at: delivery, code: 'APPOINTMENT', status: 'planned', on: '04-24T09:00', container: two })
  await sees({ delivery: '2026-04-24 planned' })
  await add({ at: delivery, code: 'DELIVERED', on: '04-24T09:30', container: two })
  await sees({
    pickup: '2026-03-04 actual',
    departure: '2026-03-17 actual',
    arrival: '2026-04-17 actual',
    delivery: '2026-04-24 actual',
  })
  await expectAccessible(page)
})

test('LCL: an order on two shipments, which are delivered apart, by screens alone', async () => {
  const bill = unique('HBL')
  const { add, sees, page, call, slug, id } = await startFile(
    { mode: 'ocean', load: 'lcl', fields: { 'House bill': bill } },
    ['CN/SHA', 'NL/RTM'],
  )
  const reference = unique('PO')
  await call('createPurchaseOrder', {
    body: { reference, product_lines: [line({ reference: '1', ordered_quantity: 100 })] },
  })
  const assigned = async () => {
    const { body } = await call('getPurchaseOrder', { params: { reference } })
    return body.purchase_order_lines.flatMap(({ assigned_order_lines = [] }) =>
      assigned_order_lines.map((each) => each.assigned_quantity),
    )
  }
  // A part of the line goes with this shipment, the rest with another one like it.
  const assign = async (quantity: string) => {
    await page.keyboard.press('o')
    await page.getByRole('table', { name: `Open lines of ${reference}` }).waitFor()
    await page.keyboard.press('m')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Quantity').fill(quantity)
    await dialog.getByRole('button', { name: /^Move/ }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await assign('60')
  await expect.poll(assigned).toEqual([60])
  await page.goBack()
  await page.getByRole('region', { name: 'Orders' }).getByText(reference).first().waitFor()

  const [pickup, origin, destination, delivery] = [1, 2, 3, 4] as const
  await add({ at: origin, code: 'DEPARTED', status: 'planned', on: '03-12T08:00' })
  await add({ at: destination, code: 'ARRIVED', status: 'planned', on: '04-14T08:00' })
  await add({ at: delivery, code: 'DELIVERED', status: 'planned', on: '04-20T08:00' })
  await sees({ status: 'Booked', departure: '2026-03-12 planned', delivery: '2026-04-20 planned' })
  await add({ at: pickup, code: 'PICKED_UP', on: '03-03T10:00' })
  await add({ at: origin, code: 'STUFFED', on: '03-08T10:00' })
  await sees({ status: 'In progress', pickup: '2026-03-03 actual', departure: '2026-03-12 planned' })
  await add({ at: origin, code: 'DEPARTED', on: '03-12T11:00' })
  await sees({ departure: '2026-03-12 actual', arrival: '2026-04-14 planned' })
  await add({ at: destination, code: 'ARRIVED', status: 'estimated', on: '04-16T08:00' })
  await sees({ arrival: '2026-04-16 estimated', delivery: '2026-04-22 planned' })
  await add({ at: destination, code: 'ARRIVED', on: '04-15T23:00' })
  await add({ at: destination, code: 'STRIPPED', on: '04-17T10:00' })
  await sees({ arrival: '2026-04-15 actual', delivery: '2026-04-21 planned' })
  await add({ at: delivery, code: 'DELIVERED', on: '04-20T11:00' })
  await sees({ delivery: '2026-04-20 actual' })
  await page.getByRole('button', { name: 'In progress' }).click()
  await page.getByRole('menuitem', { name: 'Move to: Completed' }).click()
  await sees({ status: 'Completed' })

  // The second one, with the rest of the line.
  await createByScreen(page, slug, { mode: 'ocean', load: 'lcl', fields: { 'House bill': unique('HBL') } })
  await planByScreen(page, ['CN/SHA', 'NL/RTM'])
  await assign('40')
  await expect.poll(async () => (await assigned()).toSorted((one, next) => (one ?? 0) - (next ?? 0))).toEqual([40, 60])
  await page.goBack()
  await add({ at: pickup, code: 'PICKED_UP', on: '03-04T10:00' })
  await sees({ pickup: '2026-03-04 actual' })
  await page.goto(`/office/shipments/${slug}/${id}`)
  await sees({ status: 'Completed', pickup: '2026-03-03 actual' })
})

test('air: the goods are offloaded, and take the next flight, by screens alone', async () => {
  const waybill = `020-${randomBytes(4).readUInt32BE().toString().padStart(8, '0').slice(0, 8)}`
  const { add, sees, page } = await startFile(
    { mode: 'air', fields: { Carrier: 'Lufthansa Cargo', 'Master bill': waybill, Flight: 'LH8401' } },
    ['CN/PVG', 'DE/FRA', 'FR/CDG'],
  )
  const [pickup, origin, hub, destination, delivery] = [1, 2, 3, 4, 5] as const
  await add({ at: origin, code: 'DEPARTED', status: 'planned', on: '03-04T22:00' })
  await add({ at: destination, code: 'ARRIVED', status: 'planned', on: '03-05T16:00' })
  await add({ at: delivery, code: 'DELIVERED', status: 'planned', on: '03-07T10:00' })
  await sees({ departure: '2026-03-04 planned', arrival: '2026-03-05 planned', delivery: '2026-03-07 planned' })
  await add({ at: pickup, code: 'PICKED_UP', on: '03-03T10:00' })
  await add({ at: origin, code: 'LOADED', on: '03-04T20:00' })
  await sees({ pickup: '2026-03-03 actual', departure: '2026-03-04 estimated' })
  await add({ at: origin, code: 'OFFLOADED', on: '03-04T21:30', words: 'Offloaded from LH8401' })
  await sees({ departure: '2026-03-04 problem', arrival: '2026-03-05 planned' })
  await page
    .getByRole('complementary', { name: 'As the customer sees it' })
    .getByText('Offloaded from LH8401')
    .first()
    .waitFor()
  await add({ at: origin, code: 'DEPARTED', status: 'estimated', on: '03-06T22:00' })
  await add({ at: destination, code: 'ARRIVED', status: 'estimated', on: '03-07T16:00' })
  await sees({ departure: '2026-03-06 estimated', arrival: '2026-03-07 estimated', delivery: '2026-03-09 planned' })
  await add({ at: origin, code: 'DEPARTED', on: '03-06T22:30' })
  await add({ at: hub, code: 'ARRIVED', on: '03-07T05:00' })
  await add({ at: hub, code: 'DEPARTED', on: '03-07T13:00' })
  await add({ at: destination, code: 'ARRIVED', on: '03-07T14:20' })
  await sees({ departure: '2026-03-06 actual', arrival: '2026-03-07 actual', delivery: '2026-03-09 planned' })
  await add({ at: delivery, code: 'OUT_FOR_DELIVERY', on: '03-09T11:00' })
  await add({ at: delivery, code: 'DELIVERY_FAILED', on: '03-09T16:00', words: 'Delivery failed: nobody there' })
  await sees({ delivery: '2026-03-09 problem' })
  await add({ at: delivery, code: 'APPOINTMENT', status: 'planned', on: '03-10T10:00' })
  await sees({ delivery: '2026-03-10 planned' })
  await add({ at: delivery, code: 'DELIVERED', on: '03-10T10:20' })
  await sees({
    pickup: '2026-03-03 actual',
    departure: '2026-03-06 actual',
    arrival: '2026-03-07 actual',
    delivery: '2026-03-10 actual',
  })
})

test('truck: across a border, where customs hold it, by screens alone', async () => {
  const { add, sees, page } = await startFile(
    { mode: 'truck', load: 'fcl', fields: { Carrier: 'Ekol Logistics', 'Master bill': unique('CMR') } },
    ['TR/IST', 'DE/MUC'],
  )
  await add({ at: 1, code: 'PICKED_UP', status: 'planned', on: '03-03T09:00' })
  await add({ at: 2, code: 'DEPARTED', status: 'planned', on: '03-03T14:00' })
  await add({ at: 3, code: 'ARRIVED', status: 'planned', on: '03-06T08:00' })
  await add({ at: 4, code: 'DELIVERED', status: 'planned', on: '03-06T14:00' })
  await sees({ status: 'Booked', pickup: '2026-03-03 planned', delivery: '2026-03-06 planned' })
  await add({
    at: 1,
    code: 'DELAYED',
    status: 'problem',
    on: '03-03T09:00',
    words: 'Pick-up delayed: truck broke down',
  })
  await sees({ pickup: '2026-03-03 problem' })
  await add({ at: 1, code: 'PICKED_UP', on: '03-03T16:00' })
  await add({ at: 2, code: 'DEPARTED', on: '03-03T20:00' })
  await sees({ pickup: '2026-03-03 actual', departure: '2026-03-03 actual', arrival: '2026-03-06 planned' })

  // The border is not in the plan: it is added before the destination.
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog', { name: 'Edit route' })
  await dialog.getByRole('button', { name: 'Add place' }).click()
  await dialog.getByLabel('Place, Place 3').fill('BG/KAN')
  await expectAccessible(page)
  // What is typed survives a reload.
  await page.reload()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await add({ at: 3, code: 'ARRIVED', on: '03-04T02:00' })
  await add({ at: 3, code: 'CUSTOMS_HOLD', on: '03-04T04:00', words: 'Held by customs at the border' })
  await sees({ arrival: '2026-03-06 problem', delivery: '2026-03-06 planned' })
  await add({ at: 3, code: 'CUSTOMS_RELEASED', on: '03-05T10:00' })
  await sees({ arrival: '2026-03-06 planned' })
  await add({ at: 3, code: 'DEPARTED', on: '03-05T11:00' })
  await add({ at: 4, code: 'ARRIVED', status: 'estimated', on: '03-07T18:00' })
  await sees({ arrival: '2026-03-07 estimated', delivery: '2026-03-08 planned' })
  await add({ at: 4, code: 'ARRIVED', on: '03-07T16:00' })
  await add({ at: 5, code: 'DELIVERED', status: 'estimated', on: '03-09T08:00' })
  await sees({ arrival: '2026-03-07 actual', delivery: '2026-03-09 estimated' })
  await add({ at: 5, code: 'DELIVERED', on: '03-09T08:30' })
  await sees({
    status: 'In progress',
    pickup: '2026-03-03 actual',
    departure: '2026-03-03 actual',
    arrival: '2026-03-07 actual',
    delivery: '2026-03-09 actual',
  })
})
