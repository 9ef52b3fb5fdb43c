import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Comparing } from './comparison.js'
import { isResponse, jsonOf, textOf } from './exchange.js'
import type { AccountState } from './expected.js'
import { retryWhileSlow, runCommand } from './program.js'

/**
 * Derives everything again: the records of each account are exported and imported into an empty one, and all responses of
 * both accounts are compared.
 */
export async function compareRederived(
  comparing: Comparing,
  env: Record<string, string>,
  folder: string,
): Promise<string[]> {
  const faults: string[] = []
  const run = (args: string[]) => retryWhileSlow(() => runCommand(args, env))
  for (const state of comparing.accounts) {
    const target = join(folder, `export-${state.slug}`)
    await run(['export', '--account', state.slug, '--to', target])
    const slug = `${state.slug}-afresh`
    const lines = (await readFile(join(target, 'lines.ndjson'), 'utf8')).trim().split('\n')
    const renamed = lines.map((line) => JSON.stringify({ ...(JSON.parse(line) as object), account: slug }))
    await writeFile(join(target, 'lines.ndjson'), `${renamed.join('\n')}\n`)
    await run(['import', join(target, 'lines.ndjson')])
    const key = await run(['key', 'create', '--account', slug, '--scope', 'read'])
    await rm(target, { recursive: true })
    faults.push(...(await differencesOf(comparing, state, key)))
  }
  return faults
}

async function differencesOf(comparing: Comparing, state: AccountState, key: string): Promise<string[]> {
  const faults: string[] = []
  for (const path of pathsOf(state)) {
    const [kept, derived] = [await shownAt(comparing, path, state.key), await shownAt(comparing, path, key)]
    if (kept === derived) continue
    faults.push(
      `${path} of ${state.slug} differs from what is derived from its records: ${firstDifference(kept, derived)}`,
    )
  }
  return faults
}

function pathsOf({ shipments }: AccountState): string[] {
  const pages = Array.from({ length: Math.floor(shipments.size / 100) + 1 }, (_, page) => page * 100)
  const tracked = [...shipments.values()].filter(({ isPlanned }) => isPlanned)
  return [
    '/v1/purchaseOrders',
    '/v1/locations',
    '/v1/invoices',
    '/v1/documents',
    ...pages.map((skip) => `/v1/shipments?take=100&skip=${skip}`),
    ...tracked.map(({ id }) => `/v1/tracking/${encodeURIComponent(id)}`),
  ]
}

// Signed links and request ids are masked. Orders are sorted by number: their order is the time at which they were stored,
// which an import changes.
async function shownAt({ traffic, connections }: Comparing, path: string, key: string): Promise<string> {
  const outcome = await traffic.send({ method: 'GET', path, key }, connections)
  if (!isResponse(outcome)) return outcome.code
  const text = textOf(outcome)
    .replaceAll(/"link":"[^"]+"/g, '"link":""')
    .replaceAll(/req_\w+/g, 'req')
  if (path !== '/v1/purchaseOrders' || outcome.status !== 200) return text
  const orders = jsonOf({ ...outcome, bytes: Buffer.from(text) }) as { po_number: string }[]
  return JSON.stringify(orders.toSorted((one, other) => (one.po_number < other.po_number ? -1 : 1)))
}

function firstDifference(kept: string, derived: string): string {
  let place = 0
  while (place < kept.length && kept[place] === derived[place]) place += 1
  const from = Math.max(0, place - 60)
  return `${kept.slice(from, place + 120)} instead of ${derived.slice(from, place + 120)}`
}
