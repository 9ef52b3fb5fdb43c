import { isDeepStrictEqual } from 'node:util'
import { recordPurchaseOrder, renderPurchaseOrder } from '../src/domain/purchase-order.js'
import { createRandom } from '../src/sandbox/random.js'
import type { Database } from '../src/storage/database.js'
import type { Contender, HttpRequest, Wish } from './contender.js'
import type { DataAccount } from './dataset.js'
import { tenLineOrder, uniqueMarker } from './orders.js'
import { drawWishes, workloads } from './workloads.js'

/** Nobody is timed whose answers differ from what is stored. */

type Asked = Pick<Contender, 'request' | 'answerOf'>

/** What is stored, as a wish for it is to be answered. */
export type StoredAnswers = (wish: Wish) => Promise<unknown>

/** The floor stores nothing: what it is told cannot be read back. */
type Check = { stored: StoredAnswers; accounts: DataAccount[]; writes: boolean }

/** Throws with the first answer that is not right; tells how many were. */
export async function checkAnswers(
  contender: Asked,
  url: string,
  { stored, accounts, writes }: Check,
): Promise<number> {
  let right = 0
  for (const wish of readsOf(accounts)) {
    if (await compare(contender, url, wish, await stored(wish))) right += 1
  }
  return writes ? right + (await checkWrites(contender, url, accounts)) : right
}

/** Of each kind, from every workload and both laws; long ones fewer times. */
function readsOf(accounts: DataAccount[]): Wish[] {
  const wishes: Wish[] = []
  for (const workload of workloads) {
    if (workload.isConditional) continue
    for (const heat of workload.heats) {
      const most = workload.name.startsWith('list of 100') ? 8 : 24
      const drawn = drawWishes({ ...workload, wishes: Math.min(workload.wishes, most) }, accounts, heat)
      wishes.push(...drawn.filter(({ of }) => of !== 'create order' && of !== 'update order'))
    }
  }
  return wishes
}

/** Reads each answer once, however many are compared with it. */
export function storedAnswers(db: Database): StoredAnswers {
  const answers = new Map<string, Promise<unknown>>()
  return (wish) => {
    const name = JSON.stringify({ ...wish, account: wish.account.slug })
    const answer = answers.get(name) ?? storedAnswer(db, wish)
    answers.set(name, answer)
    return answer
  }
}

async function storedAnswer(db: Database, wish: Wish): Promise<unknown> {
  const { slug } = wish.account
  const bodies = await storedBodies(db, slug, wish)
  const parsed = bodies.map(({ body }) => JSON.parse(body) as unknown)
  return wish.of === 'shipments' || wish.of === 'orders' ? parsed : parsed[0]
}

async function storedBodies(db: Database, slug: string, wish: Wish): Promise<{ body: string }[]> {
  switch (wish.of) {
    case 'shipment':
      return db<{ body: string }[]>`
        select body from shipments join accounts using (account_id)
        where slug = ${slug} and svc_shipment_id = ${wish.id}`
    case 'shipments':
      return db<{ body: string }[]>`
        select body from shipments join accounts using (account_id) where slug = ${slug}
        order by newest_first, svc_shipment_id offset ${wish.skip} limit ${wish.take}`
    case 'orders':
      return db<{ body: string }[]>`
        select body from purchase_orders join accounts using (account_id) where slug = ${slug}
        order by newest_first, reference`
    case 'order':
      return db<{ body: string }[]>`
        select body from purchase_orders join accounts using (account_id)
        where slug = ${slug} and reference = ${wish.reference}`
    default:
      throw new Error(`a wish to ${wish.of} is answered by nothing that is stored`)
  }
}

/** Creates and updates orders, and reads each back. */
async function checkWrites(contender: Asked, url: string, accounts: DataAccount[]): Promise<number> {
  const random = createRandom('orders to check')
  let right = 0
  for (const account of accounts.slice(-12)) {
    const number = String(Date.now()).slice(-uniqueMarker.length).padStart(uniqueMarker.length, '0')
    const order = tenLineOrder(`CHECK-${number}`, 'Supplier 1', random)
    if (!contender.request({ of: 'create order', account, order })) return right
    await compareWrite(contender, url, { of: 'create order', account, order })
    const read: Wish = { of: 'order', account, reference: order.reference }
    const stored = renderPurchaseOrder(recordPurchaseOrder(order), [])
    if (await compare(contender, url, read, asJson(stored))) right += 1

    const changed = { ...order, supplier_id: 'Supplier 2', product_lines: order.product_lines.slice(0, 9).toReversed() }
    await compareWrite(contender, url, {
      of: 'update order',
      account,
      order: { reference: order.reference, supplier_id: changed.supplier_id, product_lines: changed.product_lines },
    })
    const revised = renderPurchaseOrder(recordPurchaseOrder(changed), [])
    if (await compare(contender, url, read, asJson(revised))) right += 1
  }
  return right
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

async function compareWrite(
  contender: Asked,
  url: string,
  wish: Extract<Wish, { of: 'create order' | 'update order' }>,
): Promise<void> {
  await compare(contender, url, wish, { reference: wish.order.reference })
}

/** False when the contender cannot be asked that. */
async function compare(contender: Asked, url: string, wish: Wish, expected: unknown): Promise<boolean> {
  const request = contender.request(wish)
  if (!request) return false
  const { status, text } = await send(url, request)
  const told = `${request.method} ${request.path} of ${wish.account.slug}`
  if (status < 200 || status > 299) throw new Error(`${told} is answered with ${status}: ${text.slice(0, 300)}`)
  const answer = contender.answerOf(wish, text === '' ? undefined : JSON.parse(text))
  // What is put together may have names without a value, which JSON leaves out.
  const isRight = isDeepStrictEqual(answer, expected) || isDeepStrictEqual(asJson(answer), expected)
  if (!isRight) throw new Error(`${told}: ${difference(answer, expected)}`)
  return true
}

async function send(url: string, { method, path, headers, body }: HttpRequest) {
  const response = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) })
  return { status: response.status, text: await response.text() }
}

/** The first place where they part. */
function difference(answer: unknown, expected: unknown, pointer = ''): string {
  if (isObject(answer) && isObject(expected)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(answer)])) {
      if (!isDeepStrictEqual(answer[name], expected[name]))
        return difference(answer[name], expected[name], `${pointer}/${name}`)
    }
  }
  const short = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 200)
  return `${pointer || '/'} is ${short(answer)}, not ${short(expected)}`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
