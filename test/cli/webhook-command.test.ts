import { expect, test } from 'vitest'
import type { Webhook, WebhookDelivery } from '../../src/contract/public/webhook.js'
import { newAccount } from '../support/account.js'
import { newOperator } from '../support/operator.js'
import { ownDatabase, ownDatabaseUrl } from '../support/own-database.js'
import { runProgram, startServing, temporaryFolder } from '../support/program.js'
import { startService } from '../support/service.js'
import { startReceiver } from '../support/webhook-receiver.js'

/** `waybill webhook`. */

// The program sends to endpoints of its own database only.
const service = await startService({ db: await ownDatabase('webhooks') })
const env = {
  DATABASE_URL: ownDatabaseUrl('webhooks'),
  WAYBILL_DATA_DIR: await temporaryFolder(),
  WAYBILL_WEBHOOK_PRIVATE_NETWORKS: 'on',
}
const webhook = (...args: string[]) => runProgram(['webhook', ...args], { env })
async function read<Result>(...args: string[]): Promise<Result> {
  const { stdout, stderr } = await webhook(...args, '--json')
  return JSON.parse(stdout || JSON.stringify({ stderr })) as Result
}

test('an endpoint is created, tested, paused, resumed, replayed, rotated and removed', async () => {
  const [receiver, account, other] = [await startReceiver(), await newAccount(service), await newAccount(service)]
  const operator = await newOperator(service)
  await startServing({ env })
  const types = ['--types', 'location.created']
  const created = await webhook('create', '--account', account.slug, '--url', receiver.url, ...types)
  const [, webhook_id = '', secret = ''] = /(wh_\w+) +(whsec_\S+)/.exec(created.stdout) ?? []
  expect(secret, created.stderr).not.toBe('')
  receiver.secrets.push(secret)
  const list = await webhook('list', '--account', account.slug)
  expect(list.stdout).toMatch(new RegExp(`${webhook_id} +${account.slug} +active +0 .*${receiver.url}`))
  expect(list.stdout).not.toContain(secret)
  expect(await read<Webhook[]>('list', '--account', other.slug)).toEqual([])

  async function arrived(count: number): Promise<void> {
    await expect.poll(() => receiver.received).toHaveLength(count)
  }
  const { delivery_id } = await read<WebhookDelivery>('test', webhook_id)
  await arrived(1)
  expect((await webhook('pause', webhook_id)).stdout).toBe(`Paused the endpoint ${webhook_id}.\n`)
  await operator.ops('createLocation', account.slug, { body: { name: 'Warehouse' } })
  expect(await read<Webhook>('resume', webhook_id)).toMatchObject({ state: 'active' })
  await arrived(2)
  const rotated = await webhook('rotate', webhook_id, '--overlap', '0')
  receiver.secrets = [rotated.stdout.trim()]
  expect((await webhook('resend', webhook_id, delivery_id)).code).toBe(0)
  await arrived(3)
  expect((await webhook('replay', webhook_id, '--event', receiver.received[1]?.id as string)).code).toBe(0)
  await arrived(4)
  expect(receiver.received.map(({ type, isValid }) => [type, isValid])).toEqual([
    ['webhook.test', true],
    ['location.created', true],
    ['webhook.test', true],
    ['location.created', true],
  ])
  const deliveries = await webhook('deliveries', webhook_id, '--state', 'delivered')
  expect(deliveries.stdout).toMatch(new RegExp(`${delivery_id} +evt_test_\\S+ +webhook\\.test +delivered`))

  expect((await webhook('change', webhook_id, '--types', '', '--ordered', '--description', 'ERP')).code).toBe(0)
  const [changed] = await read<Webhook[]>('list', '--account', account.slug)
  expect(changed).toMatchObject({ types: [], ordered: true, description: 'ERP', created_by: 'command-line' })
  expect((await webhook('remove', webhook_id)).code).toBe(0)
  expect(await webhook('pause', webhook_id)).toMatchObject({
    code: 1,
    stderr: `waybill: there is no endpoint ${webhook_id}\n`,
  })
}, 240_000)

test('what is wrong is named by its flag', async () => {
  const { slug } = await newAccount(service)
  const create = (...rest: string[]) => webhook('create', '--account', slug, ...rest)
  expect(await create()).toMatchObject({ code: 2, stderr: 'waybill: --url: is required\n' })
  expect((await create('--url', 'ftp://x')).stderr).toMatch(/^waybill: --url: /)
  expect((await create('--url', 'https://example.com', '--types', 'x')).stderr).toMatch(/^waybill: --types: /)
  expect((await webhook('create', '--account', 'none-such', '--url', 'https://example.com')).stderr).toBe(
    'waybill: there is no account none-such\n',
  )
  expect(await webhook('deliveries', 'wh_1', '--state', 'lost')).toMatchObject({ code: 2 })
})
