import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { importLines } from '../../operator/import/import.js'
import { createOperatorWithKey, issueKey } from '../../operator/keys.js'
import { findAccount, listAccounts } from '../../storage/accounts.js'
import { findKeyHolder } from '../../storage/keys.js'
import { findOperatorByKey } from '../../storage/operators.js'
import { demoPassword, demoPeople, makeDemoPeople } from '../demo-people.js'
import { Failure } from '../failure.js'
import type { Storage } from '../open-storage.js'
import { listen } from '../server.js'
import { type Listening, serveUntilStopped } from '../serving.js'
import { readSettings, type Settings } from '../settings.js'
import { withFlags } from './serve.js'

const demoAccount = 'demo'
const accounts = { [demoAccount]: 'a shipper', 'demo-second': 'another one', 'demo-empty': 'one without data' }

export function addTo(program: Command): void {
  program
    .command('sandbox')
    .description('run the service with demo data, to try and to develop against')
    .option('--port <port>', 'port to listen on (PORT)')
    .option('--host <host>', 'address to listen on (HOST)')
    .action(async (flags: { port?: string; host?: string }) => {
      const settings = readSettings(
        withFlags({ WAYBILL_RATE_LIMIT: '0', WAYBILL_LOG_LEVEL: 'warn', ...process.env }, flags),
      )
      await serveUntilStopped(settings, async (storage) => {
        const notes = await prepare(storage, settings)
        // Where others can reach it, nobody is let in without a key.
        const listening = await listen(storage, settings, isLoopback(settings.host) ? { demoAccount } : {})
        console.log(welcome(listening, notes, settings))
        return listening
      })
    })
}

/** What the sandbox remembers of itself: keys are stored hashed, but these are to be shown at every start. */
type Notes = { seededOn?: string; keys: Record<string, string>; operatorKey?: string }

async function prepare(storage: Storage, { dataFolder, databaseUrl }: Settings): Promise<Notes> {
  const { db } = storage
  if (databaseUrl !== undefined && !(await findAccount(db, demoAccount)) && (await listAccounts(db)).length > 0) {
    throw new Failure(
      'DATABASE_URL names a database with accounts of its own: run `waybill serve`, or give the sandbox another one',
    )
  }
  const path = join(dataFolder, 'sandbox.json')
  const notes = JSON.parse(await readFile(path, 'utf8').catch(() => '{"keys":{}}')) as Notes

  // Once: data that somebody develops against does not change under their hands.
  if (!(await findAccount(db, demoAccount))) {
    notes.seededOn = new Date().toISOString().slice(0, 10)
    await seed(storage, notes.seededOn)
  }
  for (const slug of Object.keys(accounts)) {
    const account = await findAccount(db, slug)
    if (account === undefined) throw new Error(`the demo data lacks the account ${slug}`)
    const known = notes.keys[slug] !== undefined && (await findKeyHolder(db, notes.keys[slug]))
    if (!known) notes.keys[slug] = (await issueKey(db, account, { scopes: ['read', 'write'], name: 'Sandbox' })).key
  }
  await makeDemoPeople(db)
  const isOperatorKnown = notes.operatorKey !== undefined && (await findOperatorByKey(db, notes.operatorKey))
  if (!isOperatorKnown) notes.operatorKey = (await createOperatorWithKey(db, { name: 'Sandbox', role: 'admin' })).key
  await writeFile(path, `${JSON.stringify(notes, null, 2)}\n`, { mode: 0o600 })
  return notes
}

async function seed(storage: Storage, today: string): Promise<void> {
  const { summary } = await importLines(storage, demoFile(today), {
    folder: '.',
    skipInvalid: false,
    author: 'sandbox',
    onFault: ({ line, pointer, detail }) => console.error(`demo data, line ${line}: ${pointer} ${detail}`),
  })
  if (summary.rejected > 0) throw new Error('the demo data is not valid')
}

// Loaded when it is needed: the generator brings ports, sea routes and a PDF writer with it.
async function* demoFile(today: string): AsyncGenerator<Buffer> {
  const { demoLines } = await import('../../sandbox/demo.js')
  for await (const line of demoLines(today)) yield Buffer.from(`${JSON.stringify(line)}\n`)
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

function welcome(
  { address, operatorAddress }: Listening,
  { keys, operatorKey, seededOn }: Notes,
  { host, dataFolder }: Settings,
): string {
  const today = new Date().toISOString().slice(0, 10)
  const age =
    seededOn === today
      ? ''
      : `The data is as of ${seededOn}. For data around today: stop, remove ${dataFolder}, start again.\n\n`
  const rows = Object.entries(accounts).map(([slug, about]) => `  ${slug.padEnd(12)} ${keys[slug]}   ${about}`)
  const click = isLoopback(host) ? `, or by one click as the first of them` : ''
  const people = demoPeople.map(({ account, email, role }) => `  ${email.padEnd(24)} ${role.padEnd(7)} of ${account}`)
  return `
Waybill sandbox: ${address}

  Portal          ${address}/
  API reference   ${address}/docs
  Description     ${address}/openapi.json

Sign in to the portal with the password ${demoPassword}${click}:

${people.join('\n')}

Demo accounts and their keys${isLoopback(host) ? ` (requests from this machine without a key speak for ${demoAccount})` : ''}:

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
