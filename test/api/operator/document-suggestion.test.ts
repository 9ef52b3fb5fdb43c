import { expect, test } from 'vitest'
import { printPdf } from '../../../src/pdf/pdf.js'
import { containerNumber } from '../../support/containers.js'
import { startForwarding } from '../../support/forwarder.js'
import { checkedOperatorResponse } from '../../support/operator.js'
import { binaryFiles } from '../../support/sample-files.js'
import { startService } from '../../support/service.js'
import { xlsxOf } from '../../support/tables.js'

const service = await startService()

async function startDesk() {
  const forwarding = await startForwarding(service, 'operations')
  const { slug, operatorKey } = forwarding
  async function suggest(name: string, content?: Buffer | string) {
    const address = `${service.baseUrl}/ops/v1/documents/suggestion?name=${encodeURIComponent(name)}`
    const headers = { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/octet-stream' }
    const body = content === undefined ? null : new Uint8Array(Buffer.from(content))
    const response = await checkedOperatorResponse(
      'suggestDocument',
      await fetch(address, { method: 'POST', headers, body }),
    )
    // Tests share one database.
    const own = response.body.shipments.filter(({ account }) => account === slug)
    return { ...response.body, shipments: own.map(({ svc_shipment_id, found }) => ({ svc_shipment_id, found })) }
  }
  return { ...forwarding, suggest }
}

test('a PDF is given its type by its title, and its shipment by the numbers on its pages', async () => {
  const { shipment, suggest, slug, revision } = await startDesk()
  const number = containerNumber(880_011)
  const one = await shipment({
    cargo: { containers: [{ container_number: number }] },
    booking_information: { house_bill: `HB-${slug}-77` },
  })
  const before = await revision()
  const pdf = await printPdf({
    defaultStyle: { font: 'Helvetica' },
    content: [
      'BILL OF LADING',
      `B/L no. HB-${slug}-77`,
      { text: `Container ${number.slice(0, 4)} ${number.slice(4, 10)}-${number.slice(10)}`, pageBreak: 'before' },
    ],
  })
  expect(await suggest('scan0042.pdf', pdf)).toEqual({
    text: 'read',
    // The number is that of the forwarder's bill.
    type: { type: 'house_bill_of_lading', words: 'BILL OF LADING', found_in: 'content' },
    shipments: [
      {
        svc_shipment_id: one,
        found: expect.arrayContaining([
          {
            kind: 'house_bill',
            reference: `HB${slug}77`.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase(),
            found_in: 'content',
            page: 1,
          },
          { kind: 'container', reference: number, found_in: 'content', page: 2 },
        ]) as unknown,
      },
    ],
  })
  expect(await revision()).toBe(before)
})

test('a name alone is enough, and a number in it goes before those of the text', async () => {
  const { shipment, suggest } = await startDesk()
  const [first, second] = [containerNumber(880_021), containerNumber(880_022)]
  const named = await shipment({ cargo: { containers: [{ container_number: first }] } })
  const written = await shipment({ cargo: { containers: [{ container_number: second }] } })
  const name = `PL_${first}_final`
  expect(await suggest(`${name}.jpg`)).toMatchObject({
    text: 'none',
    type: { type: 'packing_list', words: 'PL', found_in: 'name' },
    shipments: [{ svc_shipment_id: named, found: [{ kind: 'container', reference: first, found_in: 'name' }] }],
  })
  const text = await suggest(`${name}.txt`, `COMMERCIAL INVOICE\n${second}\n`)
  expect(text.shipments.map(({ svc_shipment_id }) => svc_shipment_id)).toEqual([named, written])
  expect(text.type).toMatchObject({ type: 'packing_list', found_in: 'name' })
  const sheet = await suggest(
    'list.xlsx',
    await xlsxOf([{ sheet: 'List', data: [['Packing list'], ['Container', second]] }]),
  )
  expect(sheet).toMatchObject({
    text: 'read',
    type: { type: 'packing_list', found_in: 'content' },
    shipments: [{ svc_shipment_id: written, found: [{ found_in: 'content' }] }],
  })
})

test('files without text, damaged files and files that say nothing get no suggestion', async () => {
  const { suggest } = await startDesk()
  expect(await suggest('IMG_0001.png', binaryFiles.png)).toEqual({ text: 'none', shipments: [] })
  expect(await suggest('scan.pdf', '%PDF-1.7\nnothing follows')).toEqual({ text: 'unreadable', shipments: [] })
  expect(await suggest('notes.txt', 'Call back on Monday 2026')).toEqual({ text: 'read', shipments: [] })
  // JSON of any depth is a text as any other.
  expect(await suggest('data.json', '['.repeat(5000))).toMatchObject({ text: 'read' })
})
