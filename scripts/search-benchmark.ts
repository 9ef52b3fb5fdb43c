import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Storage, withStorage } from '../src/cli/open-storage.js'
import { readSettings } from '../src/cli/settings.js'
import type { AccountId } from '../src/database/account-id.js'
import { importLines } from '../src/ingest/lines/import.js'
import { commit } from '../src/ledger/commit.js'
import { generateLines } from '../src/sandbox/generate.js'
import { createPerson } from '../src/store/people.js'
import { updateSearchIndex } from '../src/store/search/search-state.js'
import { createAccount } from '../src/usecases/accounts/create-account.js'
import { issueKey } from '../src/usecases/accounts/create-key.js'
import { newPersonId } from '../src/usecases/people/person-record.js'
import { startSession } from '../src/usecases/people/session.js'
import { multiplyShipments } from '../test/support/many-shipments.js'

/**
 * Measures searches and filters of the portal in an account of 20,000 shipments, relative to a page of ten of /v1: requests
 * to a real service, one after another, each query once a round. Prints medians and their ratio to the page of ten,
 * without the response cache and with it.
 *
 *   npx tsx scripts/search-benchmark.ts [--rounds 40] [--shipments 20000] [--runs]
 *
 * With --runs similar shipments are adjacent, in runs of a hundred, as in test/api/portal/large-account.test.ts, so that
 * matches are far from the beginning of the list.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '40' },
    shipments: { type: 'string', default: '20000' },
    runs: { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)
const generated = 200
const copies = Math.max(0, Math.ceil(Number(values.shipments) / generated) - 1)
const reference = '/v1/shipments?take=10'
const year = 365 * 86_400_000_000
const today = new Date().toISOString().slice(0, 10)

type Callers = { key: string; token: string }
type Known = { container: string; order: string; vessel: string; location: string; origin: string; destination: string }

const folder = await mkdtemp(join(tmpdir(), 'waybill-figures-'))
try {
  await withStorage(readSettings({ WAYBILL_DATA_DIR: folder }), async (storage) => {
    const account = await fill(storage)
    const callers = await admit(storage, account)
    const questions = questionsOf(await findKnown(storage, account))
    const fresh = await measure(questions, callers, { WAYBILL_RESPONSE_CACHE: '0' })
    const usual = await measure(questions, callers, {})
    print(Object.keys(questions), fresh, usual)
  })
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function fill(storage: Storage): Promise<AccountId> {
  const { db } = storage
  const account = await createAccount(db, 'large', 'An account with many shipments')
  if (account === undefined) throw new Error('the account exists already')
  const faults: unknown[] = []
  const options = {
    folder: undefined,
    skipInvalid: false,
    author: 'figures',
    onFault: (fault: unknown) => faults.push(fault),
  }
  await importLines(storage, lines(), options)
  if (faults.length > 0) throw new Error(`the generated data is invalid: ${JSON.stringify(faults[0])}`)
  // Spread over a year, or one per hour.
  await multiplyShipments(db, { id: account }, copies, values.runs ? undefined : Math.ceil(year / copies))
  await updateSearchIndex(db, account)
  await db`vacuum analyze`
  return account
}

async function* lines(): AsyncGenerator<Buffer> {
  for (const line of generateLines({ accounts: 1, shipments: generated, seed: 'large account', today })) {
    if (line.kind !== 'account') yield Buffer.from(`${JSON.stringify({ ...line, account: 'large' })}\n`)
  }
}

async function admit({ db }: Storage, account: AccountId): Promise<Callers> {
  const person = { person_id: newPersonId(), email: 'figures@example.com', name: 'Figures', role: 'viewer' } as const
  await commit(db, account, 'figures', (tx) => createPerson(tx, account, { ...person, password_hash: undefined }))
  const { token } = await startSession(db, account, person.person_id, 'password')
  const { key } = await issueKey(db, account, { scopes: ['read'] })
  return { key, token }
}

/** Search values that match a few hundred shipments, and some that match one in a hundred. */
async function findKnown({ db }: Storage, account: AccountId): Promise<Known> {
  const [known] = await db<Known[]>`
    select body #>> '{cargo,containers,0,container_number}' as container,
      body #>> '{purchase_order_references,0}' as order, body #>> '{booking_information,ocean_booking,vessel}' as vessel,
      body #>> '{route,delivery_location_id}' as location, body #>> '{route,origin_port_unlocode}' as origin,
      body #>> '{route,destination_port_unlocode}' as destination
    from (select svc_shipment_id, body::jsonb as body from shipments where account_id = ${account}) shown
    where body #>> '{booking_information,ocean_booking,vessel}' is not null and body #> '{purchase_order_references,0}' is not null
      and body #>> '{route,delivery_location_id}' is not null and body #> '{cargo,containers,0}' is not null
    order by svc_shipment_id limit 1`
  if (!known) throw new Error('the generated data has nothing to search for')
  return known
}

/** Typical queries by name. The first is the baseline. */
function questionsOf({ container, order, vessel, location, origin, destination }: Known): Record<string, string> {
  const searches: Record<string, Record<string, string>> = {
    'all, the newest first': {},
    'all, by name': { sort: 'name' },
    'a container': { q: container },
    'an order': { q: order },
    'a vessel': { q: vessel },
    'one letter, while typing': { q: 's' },
    'a word without matches': { q: 'nothing has this' },
    'two words': { q: `${vessel.split(' ')[0]} ${origin.slice(0, 2)}` },
    'under way, by arrival': { status: 'in_progress', sort: 'arrival' },
    'late, the latest first': { late: 'true', sort: 'late' },
    'by sea from a port': { freight_mode: 'ocean', origin },
    'from a port to another': { origin, destination },
    'of a location': { location },
    'of two weeks': { arrives_from: dayFromNow(0), arrives_to: dayFromNow(13), sort: 'arrival' },
    'a word, a status and a port': { q: 's', status: 'finished', destination },
  }
  const addresses = Object.entries(searches).flatMap(([name, query]) =>
    ['10', '50'].map((take) => [
      `${name} (${take})`,
      `/portal/v1/shipments?${new URLSearchParams({ ...query, take })}`,
    ]),
  )
  return { [reference]: reference, ...Object.fromEntries(addresses) }
}

function dayFromNow(days: number): string {
  return new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10)
}

/** The median of each query, in milliseconds. */
async function measure(
  questions: Record<string, string>,
  { key, token }: Callers,
  environment: Record<string, string>,
): Promise<Record<string, number>> {
  const service = await startService(environment)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { authorization: `Bearer ${key}` }
  const times: Record<string, number[]> = {}
  try {
    for (let round = -10; round < rounds; round += 1) {
      for (const [name, path] of shuffled(Object.entries(questions))) {
        const by = path.startsWith('/v1/') ? headers : { cookie: `waybill_session=${token}` }
        const begun = performance.now()
        await ask(`${service.address}${path}`, agent, by)
        if (round >= 0) (times[name] ??= []).push(performance.now() - begun)
      }
    }
  } finally {
    agent.destroy()
    await service.stop()
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, medianOf(all)]))
}

async function ask(address: string, agent: Agent, headers: Record<string, string>): Promise<void> {
  const [response] = await once(get(address, { agent, headers }), 'response')
  response.resume()
  await once(response, 'end')
  if (response.statusCode !== 200) throw new Error(`${address} returned ${response.statusCode}`)
}

// Shuffled, so that no query always follows the same one.
function shuffled<Item>(items: Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item)
}

function medianOf(numbers: number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

async function startService(environment: Record<string, string>): Promise<{ address: string; stop(): Promise<void> }> {
  const port = await freePort()
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/cli/main.ts', 'serve'], {
    env: {
      PATH: process.env.PATH,
      WAYBILL_DATA_DIR: folder,
      WAYBILL_RATE_LIMIT: '0',
      WAYBILL_LOG_LEVEL: 'warn',
      HOST: '127.0.0.1',
      PORT: String(port),
      ...environment,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const ended = once(child, 'exit')
  const address = `http://127.0.0.1:${port}`
  while (!(await isThere(address))) {
    if (child.exitCode !== null) throw new Error(`the service exited with ${child.exitCode}`)
    await sleep(100)
  }
  return {
    address,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function isThere(address: string): Promise<boolean> {
  return fetch(`${address}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port is free')
  return address.port
}

function print(names: string[], fresh: Record<string, number>, usual: Record<string, number>): void {
  const row = (name: string, medians: Record<string, number>) => {
    const [own = Number.NaN, page = Number.NaN] = [medians[name], medians[reference]]
    return { ms: Number(own.toFixed(2)), ratio: Number((own / page).toFixed(2)) }
  }
  const rows = names.map((name) => {
    const [one, other] = [row(name, fresh), row(name, usual)]
    return [name, { ms: one.ms, 'x page of ten': one.ratio, 'ms, cached': other.ms, 'x page, cached': other.ratio }]
  })
  console.table(Object.fromEntries(rows))
}
