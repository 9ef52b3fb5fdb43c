import { expect, test } from 'vitest'
import { type EventCode, eventCodes } from '../../../src/contract/public/event-codes.js'
import { type StepType, stepTypes } from '../../../src/contract/public/tracking.js'
import { finish } from '../../../src/domain/records/in-parts.js'
import { sharedSteps } from '../../../src/domain/sharing/shared-events.js'
import { codeOf } from '../../../src/domain/tracking/coded-events.js'
import { en } from '../../../web/portal/i18n/en.js'
import { newAccount } from '../../support/account.js'
import { newPerson } from '../../support/person.js'
import { startService } from '../../support/service.js'

const service = await startService()
const { baseUrl, db } = service
const path = `${baseUrl}/portal/v1/shared-shipment`
const [mine, other] = ['6a0e4a86-6a0f-4c12-9d5b-0a4d3c1f2b11', '6a0e4a86-6a0f-4c12-9d5b-0a4d3c1f2b12']
const svc_shipment_id = 'S-1'
const params = { svc_shipment_id }

async function start() {
  const account = await newAccount(service)
  const document = (id: string, name: string) => ({
    kind: 'document' as const,
    data: { id, name, svc_shipment_id, content_base64: Buffer.from(name).toString('base64') },
  })
  await account.forwarder.imports(
    {
      kind: 'location',
      data: { id: 7, company_name: 'Secret Buyers Ltd', address: '1 Hidden Lane', city: 'Lyon', country: 'FR' },
    },
    {
      kind: 'shipment',
      data: {
        svc_shipment_id,
        name: 'Lamps',
        status: 'in_progress',
        freight_mode: 'ocean',
        route: { origin_port_unlocode: 'CN/SHA', destination_port_unlocode: 'FR/LEH', delivery_location_id: '7' },
        specific_instructions: 'Call Secret Agent',
        commercial_value: { amount: 98_765, currency: 'EUR' },
        transported_goods: { goods_description: 'Secret goods' },
        booking_information: { carrier: 'Secret Line', master_bill: 'SECRETBILL' },
      },
    },
    {
      kind: 'tracking',
      data: {
        svc_shipment_id,
        tracking_steps: [
          {
            type: 'origin_port',
            port: { unlocode: 'CN/SHA', city: 'Shanghai', country: 'CN' },
            events: [
              { description: 'Vessel departed', date: '2026-03-01T10:00:00+08:00', status: 'actual' },
              {
                description: 'Freight paid by Secret Buyers Ltd: 98765',
                date: '2026-03-01T11:00:00+08:00',
                status: 'actual',
              },
            ],
          },
          {
            type: 'destination_port',
            port: { unlocode: 'FR/LEH', city: 'Le Havre', country: 'FR' },
            events: [{ description: 'Vessel arrived', date: '2026-04-09T10:00:00+02:00', status: 'estimated' }],
          },
          { type: 'delivery', location: { id: 7 }, events: [] },
        ],
      },
    },
    document(mine, 'list.txt'),
    document(other, 'kept.txt'),
  )
  const share = async (body: object = {}) => {
    const { body: created } = await account.call('createSharedLink', { params, body })
    return { ...created, token: new URL(created.url).hash.slice(1) }
  }
  return { ...account, share }
}

async function open(token: string, rest = '') {
  const response = await fetch(path + rest, { headers: { 'x-shared-link': token } })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('a shared shipment shows its journey to whoever has the link, and nothing that was not chosen', async () => {
  const { share, call, id } = await start()
  const { link, url, token } = await share()
  expect(url).toBe(`${baseUrl}/share#${token}`)
  const { status, headers, text } = await open(token)
  expect(status, text).toBe(200)
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(JSON.parse(text)).toMatchObject({
    shipment: { name: 'Lamps', main_tracking_dates: { arrival_date: { status: 'estimated' } } },
    tracking: {
      status: 'in_transit',
      tracking_steps: [
        { type: 'origin_port', events: [{ description: 'Vessel departed' }] },
        { type: 'destination_port' },
        { type: 'delivery', port: { city: 'Lyon', country: 'FR' } },
      ],
    },
    documents: [],
  })
  expect(text).not.toMatch(/secret|hidden|98.?765|list\.txt|kept\.txt/i)
  expect((JSON.parse(text) as { journey: { past: unknown[] } }).journey.past.length).toBeGreaterThan(0)

  // Views are counted, refreshes are not.
  await open(token, '?refresh=true')
  await open(token)
  expect((await call('listSharedLinks', { params })).body).toMatchObject([{ link_id: link.link_id, views: 2 }])
  const [stored] = await db<{ text: string }[]>`
    select shared_links::text || (select string_agg(changes::text, ' ') from changes where account_id = ${id}) as text
    from shared_links where account_id = ${id}`
  expect(stored?.text).not.toContain(token)
  const page = await fetch(`${baseUrl}/share`)
  expect([page.headers.get('referrer-policy'), page.headers.get('x-robots-tag')]).toEqual(['no-referrer', 'noindex'])
})

test('what was chosen is shown, and of the documents only those that were chosen can be downloaded', async () => {
  const { share, forwarder } = await start()
  const { token } = await share({ documents: [mine], prices: true, parties: true, name: 'The buyer' })
  const { text } = await open(token)
  expect(JSON.parse(text)).toMatchObject({
    commercial_value: { amount: 98_765, currency: 'EUR' },
    carrier: 'Secret Line',
    parties: [{ role: 'delivery', company_name: 'Secret Buyers Ltd', address: '1 Hidden Lane' }],
    documents: [{ id: mine, name: 'list.txt' }],
  })
  expect(text).not.toMatch(/secret goods|agent|SECRETBILL|The buyer|kept/i)
  expect(await open(token, `/documents/${mine}`)).toMatchObject({ status: 200, text: 'list.txt' })
  expect((await open(token, `/documents/${other}`)).status).toBe(404)
  expect((await open(token, '/documents/none')).status).toBe(404)
  // Live: the next request shows what has changed.
  await forwarder.imports({
    kind: 'shipment',
    data: { svc_shipment_id, name: 'Lamps and shades', status: 'in_progress' },
  })
  expect((await open(token, '?refresh=true')).text).toContain('Lamps and shades')
})

test('a revoked, expired or invented link shows nothing, also none of its documents', async () => {
  const { share, call, id } = await start()
  const [revoked, expired] = [await share({ documents: [mine] }), await share({ documents: [mine] })]
  const input = { params: { svc_shipment_id, link_id: revoked.link.link_id } }
  expect((await call('revokeSharedLink', input)).body.revoked_at).toBeDefined()
  expect((await call('revokeSharedLink', input)).status).toBe(200)
  await db`update shared_links set expires_at = now() where account_id = ${id} and link_id = ${expired.link.link_id}`
  for (const token of [revoked.token, expired.token, 'x'.repeat(32), '']) {
    for (const rest of ['', `/documents/${mine}`]) {
      expect(await open(token, rest)).toMatchObject({
        status: 404,
        text: expect.stringContaining('shared_link_not_valid') as string,
      })
    }
  }
  const suspended = await share()
  await db`update accounts set suspended_at = now() where account_id = ${id}`
  expect((await open(suspended.token)).status).toBe(404)
})

test('sharing is refused for other shipments and documents, for viewers, and beyond 20 links; a retry gets the same link', async () => {
  const account = await start()
  const { call, share } = account
  expect(await call('createSharedLink', { params: { svc_shipment_id: 'none' }, body: {} })).toBeRefused(
    'shipment_not_found',
  )
  const wrong = await call('createSharedLink', { params, body: { documents: [mine, mine.replace('11', '99')] } })
  expect(wrong.body).toMatchObject({ code: 'invalid_request', errors: [{ pointer: '/documents/1' }] })
  const viewer = await newPerson(service, account, 'viewer')
  const denied = await fetch(`${baseUrl}/v1/shipments/S-1/links`, {
    method: 'POST',
    headers: { ...viewer.headers, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(denied.status).toBe(403)

  const first = await call('createSharedLink', { params, body: {}, idempotencyKey: 'once' })
  const again = await call('createSharedLink', { params, body: {}, idempotencyKey: 'once' })
  expect(again.body).toEqual(first.body)
  const [stored] = await db<{ body: string }[]>`
    select string_agg(body, ' ') as body from idempotency_keys where account_id = ${account.id}`
  expect(stored?.body).not.toContain('share#')
  for (let count = 1; count < 20; count += 1) await share()
  expect(await call('createSharedLink', { params, body: {} })).toBeRefused('too_many_shared_links')
})

test('the requests of one address with a link are limited', async () => {
  const { token } = await (await start()).share()
  const statuses = await Promise.all(
    Array.from({ length: 125 }, async () => (await open(token, '?refresh=true')).status),
  )
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(60)
  expect(statuses).toContain(429)
})

/** Codes that no text has there: at a door only the truck arrives and leaves. */
const atNoDoor: Partial<Record<StepType, EventCode[]>> = {
  pickup: ['ARRIVED', 'BERTHED', 'DISCHARGED'],
  delivery: ['DEPARTED'],
}

test('the texts of shared events are recognised and translated, and what has none is left out', () => {
  const names: Record<string, string> = en.shipment.eventNames
  for (const freight_mode of ['ocean', 'air', 'rail', 'truck'] as const) {
    for (const type of stepTypes) {
      const codes = eventCodes.filter((code) => !atNoDoor[type]?.includes(code))
      const events = codes.map((code) => ({ code, description: 'Anything', status: 'actual' as const }))
      const [step] = finish(sharedSteps({ svc_shipment_id, tracking_steps: [{ type, events }] }, freight_mode))
      expect(step?.events?.some(({ code }) => code === 'OTHER')).toBe(false)
      for (const { description = '' } of step?.events ?? []) {
        expect(codeOf({ description }, type, freight_mode), `${description} at ${type}`).not.toBe('OTHER')
        expect(names[description.toLowerCase()], description).toBeDefined()
      }
    }
  }
})
