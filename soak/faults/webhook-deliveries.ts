import { createRandom } from '../../src/sandbox/random.js'
import type { DatabaseKind } from '../database.js'
import { isResponse, jsonOf, textOf } from '../exchange.js'
import type { AccountState } from '../expected.js'
import type { Part } from '../part.js'
import { until } from '../program.js'
import { compareReceipts, type StoredDelivery, WebhookLedger } from '../webhook-ledger.js'
import { World } from '../world.js'
import { killUntilOver } from './random-kill.js'

/** The service, its database or both are killed while events are sent to a receiver, which keeps a ledger. */
export function webhookDeliveries(kind: DatabaseKind): Part {
  const name = `webhooks:${kind}`
  return {
    name,
    async run(options) {
      const random = createRandom(`${options.seed}/${name}`)
      const receiver = new WebhookLedger(random.stream('receiver'))
      const base = await receiver.listen()
      const env = { WAYBILL_WEBHOOK_PRIVATE_NETWORKS: 'on' }
      const world = await World.open(options, kind, { env, pause: 100 })
      try {
        const starts = new Map<string, string>()
        for (const state of world.accounts) {
          await createEndpoints(world, state, receiver, base)
          starts.set(state.slug, await cursorOfNow(world, state))
        }
        const kills = options.isShort ? 3 : Number.POSITIVE_INFINITY
        const minutes = options.minutes ?? 5
        // A lease of a killed process ends after 25 s: some kills hit deliveries that were just taken up again.
        const pause: [number, number] = options.isShort ? [0, 1000] : [0, 45_000]
        const faults = await world.load.during(() => killUntilOver(world, random, { kills, minutes, pause }))
        await compareAll(world, receiver, starts, faults)
      } finally {
        receiver.close()
      }
      return world.close({
        name,
        detail: `The service, its database or both were killed ${world.faults} times while events were sent to ${receiver.endpoints.size} endpoints, half of them ordered. The receiver refused one of 200 events at its first attempt. A delivery is repeated if its response was not stored.`,
      })
    },
  }
}

const settings = [
  { ordered: true, types: [] },
  { ordered: false, types: [] },
  { ordered: true, types: ['purchase_order.created', 'shipment.updated'] },
  { ordered: false, types: ['tracking.updated', 'invoice.issued', 'document.created'] },
]

async function createEndpoints(world: World, state: AccountState, receiver: WebhookLedger, base: string) {
  for (const [index, setting] of settings.entries()) {
    const path = `${state.slug}-${index}`
    const { comparing } = world
    const json = { url: `${base}/${path}`, ...setting }
    const wanted = { method: 'POST', path: '/v1/webhooks', key: state.key, json }
    const outcome = await world.traffic.send(wanted, comparing.connections)
    if (outcome.status !== 201 || !isResponse(outcome)) throw new Error(`no endpoint: ${JSON.stringify(outcome)}`)
    const { webhook, secret } = jsonOf(outcome) as { webhook: { webhook_id: string }; secret: string }
    // Its creation is a change of the account.
    state.revisionsBefore += 1
    receiver.endpoints.set(path, { account: state.slug, ...webhook, ...setting, secret, receipts: [] })
  }
}

async function cursorOfNow(world: World, state: AccountState): Promise<string> {
  return (await readFeed(world, state, 'now')).cursor
}

type Page = { events: { id: string; type: string }[]; cursor: string; has_more: boolean }

async function readFeed({ traffic, comparing }: World, { key }: AccountState, after: string): Promise<Page> {
  const path = `/v1/events?limit=1000&after=${after}`
  const outcome = await traffic.send({ method: 'GET', path, key }, comparing.connections)
  if (isResponse(outcome) && outcome.status === 200) return jsonOf(outcome) as Page
  throw new Error(`${path}: ${isResponse(outcome) ? textOf(outcome) : outcome.code}`)
}

/** Waits until everything was received, and compares the ledger with the feed and with the stored deliveries. */
async function compareAll(
  world: World,
  receiver: WebhookLedger,
  starts: Map<string, string>,
  faults: { from: number; to: number }[],
): Promise<void> {
  const db = await world.database.open()
  try {
    const untilQuiet = () =>
      until('all events are delivered', async () => (await countBehind(db)) === 0).catch((error: unknown) => {
        world.traffic.violate(String(error))
      })
    await untilQuiet()
    let [events, repeated] = [0, 0]
    for (const state of world.accounts) {
      const feed: Page['events'] = []
      let page: Page
      let after = starts.get(state.slug) as string
      do {
        page = await readFeed(world, state, after)
        feed.push(...page.events)
        after = page.cursor
      } while (page.has_more)
      for (const endpoint of receiver.endpoints.values()) {
        if (endpoint.account !== state.slug) continue
        const { types, webhook_id } = endpoint
        const wanted = feed.filter(({ type }) => types.length === 0 || types.includes(type)).map(({ id }) => id)
        const stored = await db<StoredDelivery[]>`
          select event_id, state, extract(epoch from attempted_at)::float8 * 1000 + milliseconds as "answeredAt"
          from webhook_deliveries where webhook_id = ${webhook_id} and state <> 'dropped'`
        const difference = compareReceipts(endpoint, wanted, stored, faults)
        for (const line of difference.violations) world.traffic.violate(line)
        world.addDifference(difference)
        events += wanted.length
        repeated += difference.repeated
      }
    }
    for (const line of receiver.violations) world.traffic.violate(line)
    world.figures.push(
      ['events to deliver', String(events)],
      ['requests that the receiver got', String(receiver.receipts)],
      ['deliveries repeated, their responses not stored', String(repeated)],
    )
  } finally {
    await db.end({ timeout: 5 })
  }
}

/** Endpoints that have something to send, or are sent to. */
async function countBehind(db: Awaited<ReturnType<World['database']['open']>>): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from webhooks join accounts using (account_id)
    where accounts.revision > webhooks.revision or lease is not null
      or exists (
        select from webhook_deliveries deliveries
        where deliveries.account_id = webhooks.account_id and deliveries.webhook_id = webhooks.webhook_id
          and deliveries.state = 'waiting')`
  return row?.count ?? 0
}
