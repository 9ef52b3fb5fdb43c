import { BlockList } from 'node:net'
import { join } from 'node:path'
import { buildApp } from '../../src/api/app.js'
import { openDatabase } from '../../src/database/database.js'
import { openEmbeddedDatabase } from '../../src/database/embedded/embedded-database.js'
import { migrate } from '../../src/database/migrate.js'
import { documentFolder } from '../../src/documents/document-folder.js'
import type { Mail } from '../../src/mail/messages.js'
import { openFaultyDatabase } from '../database.js'
import type { PartResult, SoakOptions } from '../part.js'
import { type FuzzOutcome, fuzz } from './fuzz.js'
import type { Target } from './world.js'

const usualRequests = 100_000
const shortRequests = 3000

/** The fuzzer as a part of the soak: the whole service over HTTP, with its own database. */
export async function run({ seed, isShort, requests, folder, log }: SoakOptions): Promise<PartResult> {
  const started = performance.now()
  const { target, close } = await startService(folder)
  try {
    const outcome = await fuzz(target, { seed, requests: requests ?? (isShort ? shortRequests : usualRequests), log })
    return resultOf(outcome, (performance.now() - started) / 1000)
  } finally {
    await close()
  }
}

async function startService(folder: string): Promise<{ target: Target; close: () => Promise<void> }> {
  const database = await openFaultyDatabase('embedded', folder)
  const embedded = await openEmbeddedDatabase(database.env.WAYBILL_DATA_DIR as string)
  const db = openDatabase(embedded.address, { connections: 5 })
  await migrate(db)
  const mails: Mail[] = []
  const app = await buildApp({
    db,
    files: documentFolder(join(folder, 'documents')),
    rateLimit: undefined,
    publicUrl: undefined,
    trustedProxies: loopback(),
    demoAccount: undefined,
    serves: { customers: true, operators: true },
    forwarderName: 'Waybill',
    cacheBytes: 16 * 1024 * 1024,
    eventDays: 90,
    // Shows the cause of a failure.
    logLevel: 'error',
    requestLogDays: 1,
    portal: { sendMail: async (mail) => void mails.push(mail) },
  })
  const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    target: { baseUrl, db, mails },
    async close() {
      await app.close()
      await db.end({ timeout: 5 })
      await embedded.release()
      await database.close()
    },
  }
}

/** The fuzzer chooses client addresses by X-Forwarded-For. */
function loopback(): BlockList {
  const addresses = new BlockList()
  addresses.addAddress('127.0.0.1')
  return addresses
}

function resultOf(outcome: FuzzOutcome, seconds: number): PartResult {
  const { requests, acknowledgedWrites, failures, leaks, violations, asked, accepted } = outcome
  const unasked = [...asked].filter(([, count]) => count === 0).map(([name]) => `${name} was never asked`)
  const isBroken = (rule: string) => violations.filter((line) => line.includes(rule)).length
  return {
    name: 'fuzz',
    detail: `Valid, nearly valid and hostile requests to every operation of the three interfaces, generated from their descriptions. After each one: no 5xx, a declared and valid response, accepted data can be read back through other operations, a refusal had no effect, and other accounts are unchanged.`,
    requests,
    faults: 0,
    acknowledgedWrites,
    lost: isBroken('afterwards') + isBroken('something else than was sent'),
    doubled: 0,
    unexpectedFailures: failures,
    leaks,
    seconds,
    figures: [
      ['operations requested', share(asked)],
      ['operations that succeeded', share(accepted)],
      ['responses by class', listed(outcome.statuses)],
      ['accepted writes read back', String(outcome.readBack)],
      ['comparisons of an unrelated account', String(outcome.comparisons)],
      ['requests by mutation', listed(outcome.kinds)],
    ],
    violations: [...violations, ...unasked],
  }
}

function share(counts: Map<string, number>): string {
  return `${[...counts.values()].filter((count) => count > 0).length} of ${counts.size}`
}

function listed(counts: Map<string, number>): string {
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one)
  return sorted.map(([name, count]) => `${name} ${count}`).join(', ')
}
