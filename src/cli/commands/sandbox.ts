import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { importLines } from '../../operator/import/import.js'
import { findAccount, listAccounts } from '../../storage/accounts.js'
import { findKeyHolder } from '../../storage/keys.js'
import { Failure } from '../failure.js'
import { openStorage, type Storage } from '../open-storage.js'
import { listen, serveUntilStopped } from '../server.js'
import { readSettings, type Settings } from '../settings.js'
import { issueKey } from './key.js'
import { withFlags } from './serve.js'

const demoAccount = 'demo'
const accounts = { [demoAccount]: 'a shipper', 'demo-second': 'another one', 'demo-empty': 'one without data' }

export function addSandbox(program: Command): void {
  program
    .command('sandbox')
    .description('run the service with demo data, to try and to develop against')
    .option('--port <port>', 'port to listen on (PORT)')
    .option('--host <host>', 'address to listen on (HOST)')
    .action(async (flags: { port?: string; host?: string }) => {
      const settings = readSettings(
        withFlags({ WAYBILL_RATE_LIMIT: '0', WAYBILL_LOG_LEVEL: 'warn', ...process.env }, flags),
      )
      const storage = await openStorage(settings)
      try {
        const keys = await prepare(storage, settings)
        const listening = await listen(storage, settings, { demoAccount })
        console.log(welcome(listening.address, keys))
        await serveUntilStopped(listening, storage)
      } catch (error) {
        await storage.close()
        throw error
      }
    })
}

/** What the sandbox remembers of itself: keys are stored hashed, but these are to be shown at every start. */
type Notes = { seededOn?: string; keys: Record<string, string> }

async function prepare(storage: Storage, { dataFolder, databaseUrl }: Settings): Promise<Record<string, string>> {
  const { db } = storage
  if (databaseUrl !== undefined && !(await findAccount(db, demoAccount)) && (await listAccounts(db)).length > 0) {
    throw new Failure(
      'DATABASE_URL names a database with accounts of its own: run `waybill serve`, or give the sandbox another one',
    )
  }
  const path = join(dataFolder, 'sandbox.json')
  const notes = JSON.parse(await readFile(path, 'utf8').catch(() => '{"keys":{}}')) as Notes

  // The demo's dates are relative to today: a new day brings them up to date.
  const today = new Date().toISOString().slice(0, 10)
  if (notes.seededOn !== today || !(await findAccount(db, demoAccount))) {
    await seed(storage, today)
    notes.seededOn = today
  }
  for (const slug of Object.keys(accounts)) {
    const account = await findAccount(db, slug)
    if (account === undefined) throw new Error(`the demo data lacks the account ${slug}`)
    const known = notes.keys[slug] !== undefined && (await findKeyHolder(db, notes.keys[slug]))
    if (!known) notes.keys[slug] = (await issueKey(db, account, { scopes: ['read', 'write'], name: 'Sandbox' })).key
  }
  await writeFile(path, `${JSON.stringify(notes, null, 2)}\n`, { mode: 0o600 })
  return notes.keys
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

function welcome(address: string, keys: Record<string, string>): string {
  const rows = Object.entries(accounts).map(([slug, about]) => `  ${slug.padEnd(12)} ${keys[slug]}   ${about}`)
  return `
Waybill sandbox: ${address}

  API reference   ${address}/docs
  Description     ${address}/openapi.json

Demo accounts and their keys (requests from this machine without a key speak for ${demoAccount}):

${rows.join('\n')}

Try:

  curl '${address}/v1/shipments?take=1'

Stop with Ctrl-C.
`
}
