import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { PortalBody } from '../../src/contract/portal/operations.js'
import type { Reader } from '../../src/database/database.js'
import { newAccount, type TestAccount } from '../support/account.js'
import { startMailServer } from '../support/mail-server.js'
import { ownDatabase, ownDatabaseUrl } from '../support/own-database.js'
import { newPerson } from '../support/person.js'
import { type Serving, startServing, temporaryFolder, until } from '../support/program.js'
import { startService } from '../support/service.js'
import { startReceiver } from '../support/webhook-receiver.js'

/** `waybill serve` is killed while its background tasks send something, and started again. The long form is `npm run soak`. */

const service = await startService({ db: await ownDatabase('killed'), webhooksToPrivateNetworks: true })
const { db } = service

async function startWorkers(env: Record<string, string> = {}): Promise<Serving> {
  return startServing({
    env: {
      DATABASE_URL: ownDatabaseUrl('killed'),
      WAYBILL_DATA_DIR: await temporaryFolder(),
      WAYBILL_WEBHOOK_PRIVATE_NETWORKS: 'on',
      ...env,
    },
  })
}

async function kill(serving: Serving): Promise<void> {
  serving.kill('SIGKILL')
  await serving.ended
}

async function waitingForMails(sql: Reader): Promise<object[]> {
  return sql`select from pg_locks where relation = 'mails'::regclass and not granted`
}

async function book({ forwarder }: TestAccount, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1)
    await forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: `S-${number}`, status: 'booked' } })
}

test('a process that is killed while it delivers webhooks loses none, and repeats only what it had not stored', async () => {
  const account = await newAccount(service)
  const [ordered, unordered] = [await startReceiver(), await startReceiver()]
  for (const receiver of [ordered, unordered]) {
    receiver.respond = async (_, response) => {
      await sleep(15)
      response.writeHead(204).end()
    }
    const body = { url: receiver.url, ordered: receiver === ordered }
    receiver.secrets.push((await account.call('createWebhook', { body })).body.secret)
  }
  const { cursor } = (await account.call('listEvents', { query: { after: 'now' } })).body
  // Stored before the kill, and then what is under way when it happens.
  const first = await startWorkers()
  await book(account, 3)
  await until(() => ordered.received.length === 3 && unordered.received.length === 3)
  await until(async () => (await db`select from webhooks where lease is not null`).length === 0)
  await book(account, 60)
  await until(() => ordered.received.length >= 8)
  await kill(first)
  const atKill = [ordered, unordered].map(({ received }) => received.length)
  expect(atKill[0]).toBeLessThan(60)

  // As if the lease of the killed process had ended.
  await db`update webhooks set leased_until = now()`
  const second = await startWorkers()
  const ids = (await account.call('listEvents', { query: { after: cursor, limit: 1000 } })).body.events.map(
    ({ id }) => id,
  )
  for (const { received } of [ordered, unordered])
    await until(() => new Set(received.map(({ id }) => id)).size === ids.length)
  await until(async () => (await db`select from webhooks where lease is not null`).length === 0)
  await kill(second)

  for (const [index, receiver] of [ordered, unordered].entries()) {
    const received = receiver.received.map(({ id }) => id)
    expect(receiver.received.every(({ isValid }) => isValid)).toBe(true)
    expect(new Set(received)).toEqual(new Set(ids))
    const [before, after] = [received.slice(0, atKill[index]), received.slice(atKill[index])]
    // Neither process sends anything twice, and what was stored is not sent again.
    for (const part of [before, after]) expect(new Set(part).size).toBe(part.length)
    expect(after.filter((id) => ids.slice(0, 3).includes(id))).toEqual([])
  }
  const received = ordered.received.map(({ id }) => ids.indexOf(id))
  const steps = received.slice(1).map((place, index) => place - (received[index] as number))
  expect(steps.filter((step) => step !== 1).length).toBeLessThanOrEqual(1)
  expect(steps.every((step) => step <= 1)).toBe(true)
})

test('a process that is killed between collecting notifications and sending their mails neither loses nor doubles one', async () => {
  const mails = await startMailServer()
  const env = {
    WAYBILL_SMTP_URL: mails.url,
    WAYBILL_MAIL_FROM: 'portal@forwarder.example',
    WAYBILL_PUBLIC_URL: 'https://portal.forwarder.example',
  }
  const account = await newAccount(service)
  const person = await newPerson(service, account)
  const body: PortalBody<'createSubscription'> = {
    scope: 'all',
    exceptions: [],
    changes: ['shipment.created'],
    delivery: 'at_once',
  }
  expect((await person.portal('createSubscription', { body })).status).toBe(201)
  const first = await startWorkers(env)
  // Collected, and stopped at the first mail.
  await db.begin(async (sql) => {
    await sql`lock table mails in share row exclusive mode`
    await book(account, 2)
    await until(async () => (await sql`select from notifications where account_id = ${account.id}`).length === 2)
    await until(async () => (await waitingForMails(sql)).length > 0)
    await kill(first)
  })
  const second = await startWorkers(env)
  const sent = () => mails.received.filter(({ to }) => to.includes(person.email))
  await until(() => sent().length >= 2)
  await until(async () => (await db`select from mails where sent_at is null`).length === 0)
  // A round more of every task.
  await book(account, 3)
  await until(() => sent().length >= 3)
  await kill(second)
  const subjects = sent().map(({ content }) => /^Subject: (.*)$/m.exec(content)?.[1])
  expect(new Set(subjects).size).toBe(3)
  expect(subjects).toHaveLength(3)
  const { notifications } = (await person.portal('listNotifications', { query: { take: 100 } })).body
  expect(notifications).toHaveLength(3)
})
