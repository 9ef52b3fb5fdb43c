import { expect, onTestFinished, test } from 'vitest'
import { mailDeliverer } from '../../../src/cli/mail.js'
import { readSettings } from '../../../src/cli/settings.js'
import type { PortalBody } from '../../../src/contract/portal/operations.js'
import type { Database } from '../../../src/database/database.js'
import { insertMail } from '../../../src/store/mails.js'
import { openOutbox } from '../../../src/usecases/mail/outbox.js'
import { notifyRound } from '../../../src/usecases/notifications/run-notifications.js'
import { type Line, line, newAccount, type TestAccount } from '../../support/account.js'
import { evaluate } from '../../support/exceptions.js'
import { readable, startMailServer } from '../../support/mail-server.js'
import { newOperator } from '../../support/operator.js'
import { ownDatabase } from '../../support/own-database.js'
import { newPerson, type TestPerson } from '../../support/person.js'
import { until } from '../../support/program.js'
import { startService } from '../../support/service.js'

const service = await startService({ db: await ownDatabase('notifications') })
const { db } = service
const { ops } = await newOperator(service)
const mail = { base: 'https://portal.forwarder.example', forwarderName: 'Harbour & Sons' }

/** As the background task does it; twice, since nothing may come twice. */
async function notify(now = Date.now(), on: Database = db): Promise<void> {
  for (let left = 2; left > 0; left -= 1) while (await notifyRound(on, now, { mail })) continue
}

const steps = [
  { id: 'origin', type: 'origin_port' as const, port: { unlocode: 'CN/NGB' } },
  { id: 'destination', type: 'destination_port' as const, port: { unlocode: 'DE/HAM' } },
]

function eta(svc_shipment_id: string, date: string, issued_at: string): Line {
  const data = { step: 'destination', code: 'ARRIVED', status: 'estimated', date, issued_at } as const
  return { kind: 'tracking_event', data: { svc_shipment_id, event_id: `eta-${issued_at}`, ...data, sequence: 1 } }
}

/** A shipment that is wanted by 3 April and expected on the 1st. */
async function anAccount(svc_shipment_id = 'S1'): Promise<TestAccount> {
  const account = await newAccount(service)
  const shipment = { status: 'in_progress', freight_mode: 'ocean', freight_type: 'door_to_port' } as const
  await account.forwarder.imports(
    {
      kind: 'shipment',
      data: { svc_shipment_id, ...shipment, name: 'Lamps <b>& more</b>', desired_delivery_date: '2026-04-03' },
    },
    { kind: 'tracking', data: { svc_shipment_id, tracking_steps: steps } },
    eta(svc_shipment_id, '2026-04-01T10:00:00+02:00', '2026-03-03T00:00:00Z'),
  )
  await evaluate(service, account.id, '2026-03-04T00:00:00Z')
  return account
}

async function slips(account: TestAccount, date: string, at: string): Promise<void> {
  await account.forwarder.imports(eta('S1', date, at))
  await evaluate(service, account.id, at)
}

type Subscribing = Partial<PortalBody<'createSubscription'>>

async function subscribe({ portal }: TestPerson, given: Subscribing = {}) {
  const body: PortalBody<'createSubscription'> = {
    scope: 'all',
    exceptions: [],
    changes: [],
    delivery: 'at_once',
    ...given,
  }
  const { status, body: created } = await portal('createSubscription', { body })
  expect(status).toBe(201)
  return created
}

async function mailsTo({ email }: TestPerson): Promise<string[]> {
  const rows = await db<{ subject: string }[]>`select subject from mails where recipient = ${email} order by mail_id`
  return rows.map(({ subject }) => subject)
}

async function bellOf({ portal }: TestPerson) {
  return (await portal('listNotifications', { query: { take: 100 } })).body
}

/** Sends what is in the outbox. */
async function startSending(url: string): Promise<void> {
  const settings = readSettings({
    WAYBILL_SMTP_URL: url,
    WAYBILL_MAIL_FROM: 'portal@forwarder.example',
    WAYBILL_PUBLIC_URL: mail.base,
  })
  const stop = new AbortController()
  const onFailure = () => {}
  const outbox = openOutbox(db, mailDeliverer(settings.mail as NonNullable<typeof settings.mail>, settings), {
    signal: stop.signal,
    onError: onFailure,
    onFailure,
  })
  const running = outbox.run()
  onTestFinished(async () => {
    stop.abort()
    await running
  })
}

const logo = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('an exception is mailed and listed once for each stage, in the language of its reader', async () => {
  const server = await startMailServer()
  await ops('setBranding', undefined, { body: { color: '#0e5c86', logo } })
  const account = await anAccount()
  const [kim, zoe, none] = [
    await newPerson(service, account),
    await newPerson(service, account),
    await newPerson(service, account),
  ]
  await zoe.portal('updatePerson', { body: { language: 'fr' } })
  for (const person of [kim, zoe]) await subscribe(person, { exceptions: ['late', 'order_at_risk'] })
  await subscribe(kim, { exceptions: ['late'], delivery: 'daily' })
  await subscribe(none, { exceptions: ['hold'] })
  await notify()
  expect(await bellOf(kim)).toEqual({ notifications: [], unread: 0 })

  await slips(account, '2026-04-09T10:00:00+02:00', '2026-03-05T01:00:00Z')
  await Promise.all([notify(), notify(), notify()])
  expect(await bellOf(none)).toEqual({ notifications: [], unread: 0 })
  const { notifications, unread } = await bellOf(kim)
  expect(unread).toBe(1)
  expect(notifications).toMatchObject([
    {
      type: 'exception.raised',
      read: false,
      title: 'Lamps <b>& more</b>',
      svc_shipment_id: 'S1',
      exception: { kind: 'late', severity: 'critical', stage: 'raised' },
    },
  ])
  // An update that makes it no worse, and then its end.
  await slips(account, '2026-04-10T10:00:00+02:00', '2026-03-06T01:00:00Z')
  await notify()
  await slips(account, '2026-04-01T10:00:00+02:00', '2026-03-07T01:00:00Z')
  await notify()
  expect(await mailsTo(kim)).toEqual(['Critical · Late: Lamps <b>& more</b>', 'Late · resolved: Lamps <b>& more</b>'])
  expect(await mailsTo(zoe)).toEqual(['Critique · Retard: Lamps <b>& more</b>', 'Retard · résolu: Lamps <b>& more</b>'])

  await startSending(server.url)
  const received = (person: TestPerson) => server.received.filter(({ to }) => to.includes(person.email))
  await until(() => received(kim).length === 2 && received(zoe).length === 2)
  const content = received(kim)[0]?.content ?? ''
  const text = readable(content)
  expect(content).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
  expect(content.replaceAll(/\r\n[ \t]/g, ' ')).toMatch(
    /^List-Unsubscribe: +<https:\/\/portal\.forwarder\.example\/unsubscribe\/[\w-]+>\r$/m,
  )
  expect(content).toMatch(/multipart\/alternative/)
  expect(content).toMatch(/Content-Id: <logo@waybill>/i)
  expect(text).toContain('Expected 9 Apr 2026, wanted by 3 Apr 2026: 6 days late.')
  expect(text).toContain('https://portal.forwarder.example/exceptions?kind=late&state=open&svc_shipment_id=S1')
  expect(text).toContain('Late: Lamps <b>& more</b> (S1)')
  expect(content).toContain('prefers-color-scheme:dark')
  expect(text).toContain('Lamps &lt;b&gt;&amp; more&lt;/b&gt;')
  expect(text).not.toContain('<b>& more</b></a>')
  const french = Buffer.from(readable(received(zoe)[0]?.content ?? ''), 'latin1').toString()
  expect(french).toContain('Prévue le 9 avr. 2026, 6 jours après la date souhaitée du 3 avr. 2026.')
  expect(french).toContain('Se désabonner')
})

test('mails to one person are sent in their order, and a slow one delays nobody else', async () => {
  const slow = 'slow@example.com'
  const sent: string[] = []
  const held: (() => void)[] = []
  const stop = new AbortController()
  const unexpected: unknown[] = []
  const outbox = openOutbox(
    db,
    async ({ to, subject }) => {
      if (to === slow) await new Promise<void>((resolve) => held.push(resolve))
      sent.push(subject)
    },
    {
      signal: stop.signal,
      onError: (error) => unexpected.push(error),
      onFailure: (_, reason) => unexpected.push(reason),
    },
  )
  for (const subject of ['first', 'second'])
    await insertMail(db, { to: slow, subject, text: subject, link: 'https://example.com' })
  const running = outbox.run()
  // More than are sent at once, stored while the slow one is under way.
  const others = ['a', 'b', 'c', 'd', 'e', 'f']
  for (const subject of others)
    await outbox.send({ to: `${subject}@example.com`, subject, text: subject, link: 'https://example.com' })
  await expect.poll(() => sent.toSorted()).toEqual(others)
  expect(held).toHaveLength(1)
  held[0]?.()
  await expect.poll(() => held).toHaveLength(2)
  held[1]?.()
  await outbox.sendDue()
  expect(sent.slice(-2)).toEqual(['first', 'second'])
  stop.abort()
  await running
  expect(unexpected).toEqual([])
})

test('an acknowledged slip is accepted: no mail says that it was resolved', async () => {
  const account = await anAccount()
  const kim = await newPerson(service, account)
  await subscribe(kim, { exceptions: ['eta_slip'] })
  // Reported after the shipment was imported: what was before is no news.
  await slips(account, '2026-04-09T10:00:00+02:00', new Date(Date.now() + 60_000).toISOString())
  const [slip] = (await account.call('listExceptions', { query: { kind: 'eta_slip', state: 'open' } })).body
  await notify()
  await account.call('acknowledgeException', { params: { exception_id: slip?.exception_id ?? '' }, body: {} })
  await notify()
  expect(await mailsTo(kim)).toHaveLength(1)
  expect((await bellOf(kim)).notifications).toMatchObject([{ exception: { stage: 'raised' } }])
})

test('mails of exceptions name the orders and products that are at risk', async () => {
  const account = await anAccount()
  const [kim, zoe] = [await newPerson(service, account), await newPerson(service, account)]
  await zoe.portal('updatePerson', { body: { language: 'fr' } })
  for (const person of [kim, zoe]) await subscribe(person, { exceptions: ['late'] })
  await account.forwarder.imports(
    ...['PO-1', 'PO-2 <b>'].flatMap((reference): Line[] => {
      const numbers = ['1', '2', '3']
      const product_lines = numbers.map((each) => line({ reference: each, ordered_quantity: 5, sku: `LAMP-${each}` }))
      return [
        { kind: 'purchase_order', data: { reference, product_lines } },
        ...numbers.map(
          (each): Line => ({
            kind: 'assignment',
            data: { reference, line: each, svc_shipment_id: 'S1', assigned_quantity: 5 },
          }),
        ),
      ]
    }),
  )
  await evaluate(service, account.id, '2026-03-04T06:00:00Z')
  await notify()
  await slips(account, '2026-04-09T10:00:00+02:00', '2026-03-05T01:00:00Z')
  await notify()
  const server = await startMailServer()
  await startSending(server.url)
  const received = (person: TestPerson) => server.received.find(({ to }) => to.includes(person.email))?.content
  await until(() => received(kim) !== undefined && received(zoe) !== undefined)
  const lines = 'PO-1 (LAMP-1, LAMP-2, LAMP-3); PO-2 <b> (LAMP-1, LAMP-2)'
  const escaped = lines.replaceAll('<b>', '&lt;b&gt;')
  const english = readable(received(kim) ?? '')
  for (const each of [lines, escaped]) expect(english).toContain(`Orders at risk: ${each}; 1 more line`)
  const french = Buffer.from(readable(received(zoe) ?? ''), 'latin1').toString()
  for (const each of [lines, escaped]) expect(french).toContain(`Commandes menacées : ${each}; 1 autre ligne`)
})

test('one click ends mails without signing in, opening the link does not, and the portal goes on listing', async () => {
  const account = await anAccount()
  const kim = await newPerson(service, account)
  const { subscription_id } = await subscribe(kim, { changes: ['purchase_order.created'] })
  const order = (reference: string): Line => ({ kind: 'purchase_order', data: { reference, product_lines: [line()] } })
  await account.forwarder.imports(order('PO1'))
  const sent = await linkOfMail(kim)
  const address = service.baseUrl + new URL(sent).pathname
  const shown = await fetch(address)
  expect(shown.status).toBe(200)
  expect(shown.headers.get('content-security-policy')).toContain("form-action 'self'")
  const deliveryOf = async () => (await kim.portal('listSubscriptions')).body.map(({ delivery }) => delivery)
  expect(await deliveryOf()).toEqual(['at_once'])

  const altered = `${address.slice(0, -2)}${address.endsWith('AA') ? 'BB' : 'AA'}`
  for (const wrong of [
    altered,
    `${service.baseUrl}/unsubscribe/x`,
    `${service.baseUrl}/unsubscribe/${'x'.repeat(3000)}`,
  ])
    expect((await fetch(wrong, oneClick)).status).toBe(403)
  expect(await deliveryOf()).toEqual(['at_once'])

  for (const times of [1, 2]) expect((await fetch(address, oneClick)).status, String(times)).toBe(200)
  expect(await deliveryOf()).toEqual(['portal'])
  await account.forwarder.imports(order('PO2'))
  await notify()
  expect(await mailsTo(kim)).toEqual(['New order: PO1'])
  expect((await bellOf(kim)).notifications.map(({ title }) => title)).toEqual(['PO2', 'PO1'])

  await kim.portal('removeSubscription', { params: { subscription_id } })
  expect((await fetch(address, oneClick)).status).toBe(200)
})

test('one click in the mail of a message ends mails of messages, also those of a subscription', async () => {
  const account = await anAccount()
  const kim = await newPerson(service, account)
  await subscribe(kim, { scope: 'shipment', id: 'S1', changes: ['message.created'] })
  const write = async (text: string) => account.call('postMessage', { body: { svc_shipment_id: 'S1', text } })
  expect((await write('Where is it?')).status).toBe(201)
  const sent = await linkOfMail(kim)
  expect((await fetch(service.baseUrl + new URL(sent).pathname, oneClick)).status).toBe(200)
  await write('Hello?')
  await notify()
  expect(await mailsTo(kim)).toHaveLength(1)
  expect((await bellOf(kim)).notifications.map(({ message }) => message?.text)).toEqual(['Hello?', 'Where is it?'])
})

const oneClick = {
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: 'List-Unsubscribe=One-Click',
}

/** The address in the header of the mail that a person gets. */
async function linkOfMail({ email }: TestPerson): Promise<string> {
  const server = await startMailServer()
  await notify()
  await startSending(server.url)
  const received = () => server.received.find(({ to }) => to.includes(email))
  await until(() => received() !== undefined)
  const header = received()?.content.replaceAll(/\r\n[ \t]+/g, '') ?? ''
  return /List-Unsubscribe: *<([^>]+)>/.exec(header)?.[1] ?? ''
}

test('subscriptions cover a shipment, an order or a saved view, and neither own changes nor other accounts', async () => {
  const account = await anAccount()
  const [kim, zoe] = [await newPerson(service, account), await newPerson(service, account)]
  const stranger = await newPerson(service, await anAccount())
  const changes = ['shipment.updated', 'shipment.created', 'purchase_order.created'] as const
  const view = { page: 'shipments', name: 'Drafts', query: 'tab=drafts' } as const
  const { view_id } = (await kim.portal('createView', { body: view })).body
  await subscribe(kim, { scope: 'shipment', id: 'S1', changes: [...changes] })
  await subscribe(zoe, { changes: [...changes], delivery: 'portal' })
  await subscribe(stranger, { changes: [...changes] })
  await subscribe(kim, { scope: 'view', id: view_id, changes: [...changes], delivery: 'daily' })
  const shipment = (svc_shipment_id: string, status: 'draft' | 'booked'): Line => ({
    kind: 'shipment',
    data: { svc_shipment_id, status },
  })
  await account.forwarder.imports(shipment('S2', 'draft'), shipment('S3', 'booked'))
  await account.forwarder.imports(shipment('S1', 'booked'))
  const created = await fetch(`${service.baseUrl}/v1/purchaseOrders`, {
    method: 'POST',
    headers: { ...zoe.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ reference: 'PO9', product_lines: [{ ordered_quantity: 1, product: { sku: 'X' } }] }),
  })
  expect(created.status).toBe(201)
  await notify()
  const notified = async (person: TestPerson) =>
    (await bellOf(person)).notifications.map(({ type, id }) => `${type} ${id ?? ''}`).toReversed()
  expect(await notified(kim)).toEqual(['shipment.created S2', 'shipment.updated S1'])
  expect(await notified(zoe)).toEqual(['shipment.created S2', 'shipment.created S3', 'shipment.updated S1'])
  expect(await notified(stranger)).toEqual([])
  // The daily one is mailed in the morning, with what else there is.
  expect(await mailsTo(kim)).toEqual(['Shipment changed: S1'])
  const tomorrow = Date.now() + 24 * 3_600_000
  await notify(tomorrow)
  expect(await mailsTo(kim)).toEqual(['Shipment changed: S1', expect.stringMatching(/^1 update for /)])

  const [first] = (await bellOf(zoe)).notifications
  const some = await zoe.portal('markNotificationsRead', { body: { notification_ids: [first?.notification_id ?? 0] } })
  expect(some.body).toEqual({ unread: 2 })
  const all = await zoe.portal('markNotificationsRead', { body: { up_to: first?.notification_id ?? 0 } })
  expect(all.body).toEqual({ unread: 0 })
  expect((await bellOf(kim)).unread).toBe(2)

  const refused = await zoe.portal('createSubscription', {
    body: { scope: 'shipment', id: 'S2', exceptions: [], changes: [], delivery: 'daily' },
  })
  expect(refused).toBeRefused('invalid_request')
  await kim.portal('removeView', { params: { view_id } })
  expect((await kim.portal('listSubscriptions')).body).toHaveLength(1)
})

test('whenever a process is killed, everything is reported and mailed once', async () => {
  const account = await anAccount()
  const kim = await newPerson(service, account)
  await subscribe(kim, { changes: ['purchase_order.created'] })
  const references: string[] = []
  let seed = 7
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  for (let write = 0; write < 12; write += 1) {
    // Some writes notify of several orders.
    const count = write === 5 ? 30 : 1
    const lines = Array.from({ length: count }, (_, index): Line => {
      references.push(`PO-${write}-${index}`)
      return { kind: 'purchase_order', data: { reference: `PO-${write}-${index}`, product_lines: [line()] } }
    })
    await account.forwarder.imports(...lines)
    // Transactions whose process ends before they are committed.
    const failing = new Proxy(db, {
      get: (target, name) =>
        name === 'begin' && random() < 0.6
          ? (work: Parameters<Database['begin']>[0]) =>
              target.begin(async (sql) => {
                await work(sql)
                throw new Error('killed')
              })
          : (Reflect.get(target, name) as unknown),
    })
    await Promise.allSettled([notifyRound(failing, Date.now(), { mail }), notifyRound(failing, Date.now(), { mail })])
  }
  await notify()
  const { notifications } = await bellOf(kim)
  const counted = notifications.reduce((sum, { count = 1 }) => sum + count, 0)
  expect(counted).toBe(references.length)
  expect(notifications).toHaveLength(12)
  const rows = await db<{ left: number }[]>`
    select count(*)::integer as left from notifications where account_id = ${account.id} and mail_at is not null`
  expect(rows).toEqual([{ left: 0 }])
  const notified = (await mailsTo(kim)).reduce((sum, subject) => {
    const [, many] = /^(\d+) updates? for/.exec(subject) ?? []
    return sum + Number(many ?? 1)
  }, 0)
  expect(notified).toBe(12)
})

test('quiet hours delay mails, and who cannot sign in gets none', async () => {
  const account = await anAccount()
  const [kim, gone] = [await newPerson(service, account), await newPerson(service, account, 'member')]
  const now = Date.parse('2030-01-09T22:00:00Z')
  await kim.portal('saveNotificationSettings', {
    body: { digest_time: '07:00', digest_weekday: 1, quiet_hours: { from: '21:00', to: '06:30' } },
  })
  for (const person of [kim, gone]) await subscribe(person, { changes: ['purchase_order.created'] })
  await account.forwarder.imports({ kind: 'purchase_order', data: { reference: 'PO1', product_lines: [line()] } })
  for (const person of [kim, gone]) expect(await mailsTo(person)).toEqual([])
  await kim.portal('updateRole', { params: { person_id: gone.person_id }, body: { disabled: true } })
  await notify(now)
  expect(await mailsTo(kim)).toEqual([])
  await notify(Date.parse('2030-01-10T06:29:00Z'))
  expect(await mailsTo(kim)).toEqual([])
  await notify(Date.parse('2030-01-10T06:30:00Z'))
  expect(await mailsTo(kim)).toEqual(['New order: PO1'])
  expect(await mailsTo(gone)).toEqual([])
})

test('the bell and mails name what changed, and updates of one shipment that are due together are one', async () => {
  const server = await startMailServer()
  const account = await anAccount()
  const kim = await newPerson(service, account)
  await subscribe(kim, { changes: ['shipment.updated'], delivery: 'daily' })
  const params = { svc_shipment_id: 'S1' }
  await ops('updateShipment', account.slug, { params, body: { name: 'Lamps' } })
  await ops('updateShipment', account.slug, { params, body: { name: 'Lamps', desired_delivery_date: '2026-04-20' } })
  const now = Date.now()
  await notify(now)
  const { notifications } = await bellOf(kim)
  expect(notifications.map(({ changed }) => changed)).toEqual([['desired_delivery_date'], ['name']])
  await notify(now + 24 * 3_600_000)
  await startSending(server.url)
  await until(() => server.received.some(({ to }) => to.includes(kim.email)))
  const text = readable(server.received.find(({ to }) => to.includes(kim.email))?.content ?? '')
  expect(text).toContain('Changed: desired delivery date, name.')
  expect(await mailsTo(kim)).toEqual([expect.stringMatching(/^1 update for /)])
})
