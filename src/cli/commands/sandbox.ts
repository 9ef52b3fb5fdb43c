import type { Command } from 'commander'
import { businessDate, businessTime, simulateTime } from '../../clock/clock.js'
import type { SandboxClock } from '../../contract/sandbox/world.js'
import { minute } from '../../domain/dates/local-time.js'
import { importLines } from '../../ingest/lines/import.js'
import { findAccount, findLastChange, listAccountRows } from '../../store/accounts.js'
import { saveBilling, saveTemplate } from '../../store/billing.js'
import { findPrincipal } from '../../store/keys.js'
import { findOperatorByKey } from '../../store/operators.js'
import { issueKey } from '../../usecases/accounts/create-key.js'
import { createOperatorWithKey } from '../../usecases/accounts/create-operator.js'
import { saveFreeTime } from '../../usecases/free-time/save-free-time.js'
import { createDemoPeople, demoPassword, demoPeople, demoStaff } from '../demo-people.js'
import { Failure } from '../failure.js'
import type { Storage } from '../open-storage.js'
import { openBookings } from '../sandbox/bookings.js'
import { type ClockFlags, readClockFlags } from '../sandbox/clock-flags.js'
import { openState, type SandboxState } from '../sandbox/state.js'
import { openWorld } from '../sandbox/world.js'
import { listen } from '../server.js'
import { type RunningService, serveUntilStopped } from '../service-lifecycle.js'
import { readSettings, type Settings, withFlags } from '../settings.js'

const demoAccount = 'demo'
const accounts = {
  [demoAccount]: 'a shipper',
  'demo-second': 'another shipper',
  'demo-empty': 'a shipper without data',
}

export function addTo(program: Command): void {
  program
    .command('sandbox')
    .description('run the service with demo data, for evaluation and development')
    .option('--port <port>', 'port to listen on (PORT)')
    .option('--host <host>', 'address to listen on (HOST)')
    .option('--at <time>', 'the date or time to simulate, such as 2026-03-01')
    .option('--speed <n>', 'simulated seconds per second; 0 stops the clock')
    .option('--scenario <name>', 'what happens first, such as "customs hold"')
    .action(async (flags: { port?: string; host?: string; at?: string; speed?: string; scenario?: string }) => {
      const asked = readClockFlags(flags)
      const settings = readSettings(
        withFlags(
          { WAYBILL_RATE_LIMIT: '0', WAYBILL_LOG_LEVEL: 'warn', ...process.env },
          { port: flags.port, host: flags.host },
        ),
      )
      await serveUntilStopped(settings, async (storage) => {
        const { state, save } = await openState(settings.dataFolder)
        const clock = await clockAt(storage, state, asked)
        if (clock) simulateTime(Date.parse(clock.now), clock.speed)
        await prepare(storage, settings, state)
        await save({ clock })
        const world = openWorld(storage.db, {
          clock,
          save,
          seed: 'waybill demo',
          quotas: settings.quotas,
          forwarderName: settings.forwarderName,
          scenarios: (state.scenarios ??= []),
          bookings: openBookings(storage),
        })
        // Requests without a key are allowed only if the service listens on loopback.
        const running = await listen(storage, settings, {
          world,
          ...(isLoopback(settings.host) && { demoAccount, demoKeys: demoKeysOf(state) }),
        })
        if (asked.scenario) await world.startScenario(asked.scenario)
        console.log(welcome(running, state, settings))
        return running
      })
    })
}

/** The clock goes on from where it was, or at the time asked for. It never goes back, not even after a kill. */
async function clockAt(
  { db }: Storage,
  { clock }: SandboxState,
  { at, speed }: ClockFlags,
): Promise<SandboxClock | undefined> {
  const isNew = !(await findAccount(db, demoAccount))
  const lastChange = isNew ? 0 : await findLastChange(db)
  const isAsked = clock !== undefined || at !== undefined || speed !== undefined
  // Without sandbox.json, records show whether time was moved; the clock of the database may differ a little.
  if (!isAsked && lastChange < businessTime() + minute) return undefined
  const stored = clock ? Date.parse(clock.now) : isNew ? 0 : businessTime()
  const reached = Math.max(stored, lastChange)
  if (at !== undefined && at < reached) {
    const since = new Date(reached).toISOString()
    throw new Failure(
      `--at is before ${since}: time only moves forward`,
      2,
      'give a later time, or remove the data folder',
    )
  }
  return { now: new Date(at ?? (reached || businessTime())).toISOString(), speed: speed ?? clock?.speed ?? 1 }
}

async function prepare(storage: Storage, { databaseUrl, forwarderName }: Settings, state: SandboxState): Promise<void> {
  const { db } = storage
  if (databaseUrl !== undefined && !(await findAccount(db, demoAccount)) && (await listAccountRows(db)).length > 0) {
    throw new Failure(
      'the database of DATABASE_URL has other accounts: run `waybill serve`, or use another database for the sandbox',
    )
  }

  // Only once, so that the data stays stable for development.
  if (!(await findAccount(db, demoAccount))) {
    state.seededOn = businessDate()
    await seed(storage, state.seededOn)
  }
  for (const slug of Object.keys(accounts)) {
    const account = await findAccount(db, slug)
    if (account === undefined) throw new Error(`the demo data lacks the account ${slug}`)
    const known = state.keys[slug] !== undefined && (await findPrincipal(db, state.keys[slug]))
    if (!known) state.keys[slug] = (await issueKey(db, account, { scopes: ['read', 'write'], name: 'Sandbox' })).key
  }
  await createDemoPeople(db, forwarderName)
  const isOperatorKnown = state.operatorKey !== undefined && (await findOperatorByKey(db, state.operatorKey))
  if (!isOperatorKnown) state.operatorKey = (await createOperatorWithKey(db, { name: 'Sandbox', role: 'admin' })).key
}

async function seed(storage: Storage, today: string): Promise<void> {
  const { summary } = await importLines(storage, demoFile(today), {
    folder: '.',
    skipInvalid: false,
    author: 'sandbox',
    onFault: ({ line, pointer, detail }) => console.error(`demo data, line ${line}: ${pointer} ${detail}`),
  })
  if (summary.rejected > 0) throw new Error('the demo data is not valid')
  const { sandboxCalendars, sandboxTerms } = await import('../../sandbox/free-time.js')
  await saveFreeTime(storage.db, { terms: sandboxTerms, calendars: sandboxCalendars(today) }, 'sandbox')
  await seedBilling(storage.db, today)
}

async function seedBilling(db: Storage['db'], today: string): Promise<void> {
  const { sandboxBilling, sandboxCustomerBilling, sandboxTemplates } = await import('../../sandbox/billing.js')
  const customers = await Promise.all(
    Object.entries(sandboxCustomerBilling).map(
      async ([slug, billing]) => [await findAccount(db, slug), billing] as const,
    ),
  )
  await db.begin(async (sql) => {
    await saveBilling(sql, undefined, sandboxBilling(today), 'sandbox')
    for (const [account, billing] of customers) await saveBilling(sql, account, billing, 'sandbox')
    for (const template of sandboxTemplates) await saveTemplate(sql, template, 'sandbox')
  })
}

// Loaded on demand: the generator needs ports, sea routes and a PDF writer.
async function* demoFile(today: string): AsyncGenerator<Buffer> {
  const { demoLines } = await import('../../sandbox/demo.js')
  for await (const line of demoLines(today)) yield Buffer.from(`${JSON.stringify(line)}\n`)
}

function demoKeysOf({ keys, operatorKey }: SandboxState) {
  return { customers: keys[demoAccount] ?? '', operators: operatorKey ?? '' }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

function welcome(
  { address, operatorAddress }: RunningService,
  { keys, operatorKey, seededOn }: SandboxState,
  { host, dataFolder }: Settings,
): string {
  const today = businessDate()
  const age =
    seededOn === today
      ? ''
      : `The data is as of ${seededOn}. For data around today: stop, remove ${dataFolder}, start again.\n\n`
  const rows = Object.entries(accounts).map(([slug, about]) => `  ${slug.padEnd(12)} ${keys[slug]}   ${about}`)
  const click = isLoopback(host) ? `, or with one click as the first of them` : ''
  const people = demoPeople.map(({ account, email, role }) => `  ${email.padEnd(24)} ${role.padEnd(7)} of ${account}`)
  return `
Waybill sandbox: ${address}

  Portal          ${address}/
  Guides          ${address}/docs/guides/
  API reference   ${address}/docs
  Description     ${address}/openapi.json

Sign in to the portal with the password ${demoPassword}${click}:

${people.join('\n')}

Demo accounts and their keys${isLoopback(host) ? ` (requests from this machine without a key use ${demoAccount})` : ''}:

${rows.join('\n')}

Try:

  curl '${address}/v1/shipments?take=1'
${operatorAddress === undefined ? '' : forwarderSide(operatorAddress, operatorKey)}
${age}Stop with Ctrl-C.
`
}

function forwarderSide(address: string, key: string | undefined): string {
  const people = demoStaff.map(({ email, role }) => `  ${email.padEnd(27)} ${role}`)
  return `
The forwarder's people sign in to the office (${address}/office) with the same password:

${people.join('\n')}

The forwarder's systems use the operator interface (${address}/ops/docs) with an operator's key:

  curl '${address}/ops/v1/accounts' -H 'Authorization: Bearer ${key}'
`
}
