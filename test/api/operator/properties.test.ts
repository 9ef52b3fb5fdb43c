import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HistoryKind } from '../../../src/contract/operator/history.js'
import { newAccount } from '../../support/account.js'
import { newOperator } from '../../support/operator.js'
import { type Actors, actionSequences } from '../../support/random-actions.js'
import { comparableResponse, readablePaths } from '../../support/readable-paths.js'
import { expectSameAfterRederivation } from '../../support/rederivation.js'
import { startService } from '../../support/service.js'

const service = await startService()

test('for random actions of operators and customers, refusals change nothing, derived data stays consistent, and the history is complete', async () => {
  await fc.assert(
    fc.asyncProperty(actionSequences, async (actions) => {
      const actors = { account: await newAccount(service), operator: await newOperator(service) }
      const then: { at: string; shown: Map<string, string> }[] = []
      for (const [index, action] of actions.entries()) {
        const before = await stateOf(actors)
        const { status } = await action.run(actors)
        expect(status, action.name).toBeLessThan(500)
        if (status >= 400) expect(await stateOf(actors), `${action.name} was refused`).toEqual(before)
        if (index % 10 === 0) then.push({ at: await timeOf(actors), shown: await readNow(actors) })
      }
      await expectSameAfterRederivation(service, actors.account)
      for (const { at, shown } of then) expect(await readAsOf(actors, at), at).toEqual(shown)
      await expectReplayed(actors)
    }),
    { numRuns: 6 },
  )
}, 240_000)

/** Everything visible: the account's revision and every response. */
async function stateOf({ account }: Actors) {
  const [row] = await service.db`select revision from accounts where account_id = ${account.id}`
  const lists = ['/v1/purchaseOrders', '/v1/locations', '/v1/invoices', '/v1/documents', '/v1/shipments?take=100']
  return { row, responses: await Promise.all(lists.map((path) => comparableResponse(service, path, account.key))) }
}

async function timeOf({ account }: Actors): Promise<string> {
  const [row] = await service.db<{ at: string }[]>`
    select to_char(changed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from accounts where account_id = ${account.id}`
  return row?.at as string
}

/** The account's shipments, orders and tracking, by path. */
async function readNow({ account }: Actors): Promise<Map<string, string>> {
  const paths = (await readablePaths(service, account.key)).filter((path) =>
    /^\/v1\/(?:shipments|purchaseOrders|tracking)\/./.test(path),
  )
  const responses = await Promise.all(paths.map((path) => comparableResponse(service, path, account.key)))
  return new Map(
    paths.flatMap((path, index) => (responses[index]?.status === 200 ? [[path, responses[index].text]] : [])),
  )
}

/** The same as of a time, from the operator interface. */
async function readAsOf({ account, operator }: Actors, as_of: string): Promise<Map<string, string>> {
  const query = { as_of, take: 100 }
  const shown = new Map<string, string>()
  const shipments = await operator.ops('listShipments', account.slug, { query })
  expect(shipments.status, shipments.text).toBe(200)
  for (const { id, shown: body } of shipments.body) {
    shown.set(`/v1/shipments/${encodeURIComponent(id)}`, JSON.stringify(body))
    const params = { svc_shipment_id: id }
    const tracking = await operator.ops('getTracking', account.slug, { params, query: { as_of } })
    if (tracking.status === 200) {
      shown.set(`/v1/tracking/${encodeURIComponent(id)}`, JSON.stringify(tracking.body.shown))
    }
  }
  const orders = await operator.ops('listPurchaseOrders', account.slug, { query })
  for (const { id, shown: body } of orders.body) {
    shown.set(`/v1/purchaseOrders/${encodeURIComponent(id)}`, JSON.stringify(body))
  }
  return shown
}

/** Applying the changes of all versions in order results in the current record. */
async function expectReplayed({ account, operator }: Actors): Promise<void> {
  const things = await service.db<{ kind: HistoryKind; id: string; record: string | null }[]>`
    select distinct on (kind, id) kind, id, record from changes
    where account_id = ${account.id} and what <> 'derived' order by kind, id, revision desc`
  for (const { kind, id, record } of things) {
    const { body } = await operator.ops('getHistory', account.slug, { params: { kind, id }, query: { take: 100 } })
    let replayed: unknown
    for (const { changes } of body.toReversed()) {
      for (const change of changes) replayed = withChange(replayed, change.pointer.split('/').slice(1), change.after)
      replayed = withoutGaps(replayed)
    }
    expect(replayed, `${kind} ${id}`).toEqual(record === null ? undefined : JSON.parse(record))
  }
}

function withChange(value: unknown, path: string[], after: unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined) return after
  const name = first.replaceAll('~1', '/').replaceAll('~0', '~')
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>
  copy[name] = withChange(copy[name], rest, after)
  if (copy[name] === undefined) delete copy[name]
  return copy
}

// A list whose last entries were removed is shorter.
function withoutGaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== undefined).map(withoutGaps)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutGaps(item)]))
}
