import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { makeFolder } from '../../documents/durable-folder.js'
import { importLines } from '../../ingest/lines/import.js'
import { findAccount, listAccountRows } from '../../store/accounts.js'
import { findPrincipal } from '../../store/keys.js'
import { findOperatorByKey } from '../../store/operators.js'
import { issueKey } from '../../usecases/accounts/create-key.js'
import { createOperatorWithKey } from '../../usecases/accounts/create-operator.js'
import { saveFreeTime } from '../../usecases/free-time/save-free-time.js'
import { createDemoPeople, demoPassword, demoPeople } from '../demo-people.js'
import { Failure } from '../failure.js'
import type { Storage } from '../open-storage.js'
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
    .action(async (flags: { port?: string; host?: string }) => {
      const settings = readSettings(
        withFlags({ WAYBILL_RATE_LIMIT: '0', WAYBILL_LOG_LEVEL: 'warn', ...process.env }, flags),
      )
      await serveUntilStopped(settings, async (storage) => {
        const state = await prepare(storage, settings)
        // Requests without a key are allowed only if the service listens on loopback.
        const running = await listen(storage, settings, isLoopback(settings.host) ? { demoAccount } : {})
        console.log(welcome(running, state, settings))
        return running
      })
    })
}

/** Stored in sandbox.json: the database has only hashes of keys, but the sandbox prints its keys at every start. */
type SandboxState = { seededOn?: string; keys: Record<string, string>; operatorKey?: string }

async function prepare(storage: Storage, { dataFolder, databaseUrl }: Settings): Promise<SandboxState> {
  const { db } = storage
  if (databaseUrl !== undefined && !(await findAccount(db, demoAccount)) && (await listAccountRows(db)).length > 0) {
    throw new Failure(
      'the database of DATABASE_URL has other accounts: run `waybill serve`, or use another database for the sandbox',
    )
  }
  // With DATABASE_URL, nothing else creates the data folder.
  await makeFolder(dataFolder)
  const path = join(dataFolder, 'sandbox.json')
  const state = JSON.parse(await readFile(path, 'utf8').catch(() => '{"keys":{}}')) as SandboxState

  // Only once, so that the data stays stable for development.
  if (!(await findAccount(db, demoAccount))) {
    state.seededOn = new Date().toISOString().slice(0, 10)
    await seed(storage, state.seededOn)
  }
  for (const slug of Object.keys(accounts)) {
    const account = await findAccount(db, slug)
    if (account === undefined) throw new Error(`the demo data lacks the account ${slug}`)
    const known = state.keys[slug] !== undefined && (await findPrincipal(db, state.keys[slug]))
    if (!known) state.keys[slug] = (await issueKey(db, account, { scopes: ['read', 'write'], name: 'Sandbox' })).key
  }
  await createDemoPeople(db)
  const isOperatorKnown = state.operatorKey !== undefined && (await findOperatorByKey(db, state.operatorKey))
  if (!isOperatorKnown) state.operatorKey = (await createOperatorWithKey(db, { name: 'Sandbox', role: 'admin' })).key
  await writeFile(path, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
  return state
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
}

// Loaded on demand: the generator needs ports, sea routes and a PDF writer.
async function* demoFile(today: string): AsyncGenerator<Buffer> {
  const { demoLines } = await import('../../sandbox/demo.js')
  for await (const line of demoLines(today)) yield Buffer.from(`${JSON.stringify(line)}\n`)
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

function welcome(
  { address, operatorAddress }: RunningService,
  { keys, operatorKey, seededOn }: SandboxState,
  { host, dataFolder }: Settings,
): string {
  const today = new Date().toISOString().slice(0, 10)
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
  return `
The forwarder's side (${address}/ops/docs), with an operator's key:

  curl '${address}/ops/v1/accounts' -H 'Authorization: Bearer ${key}'
`
}
