import { join } from 'node:path'
import { buildApp } from '../../src/http/app.js'
import type { Mail } from '../../src/portal-api/mail.js'
import { openDatabase } from '../../src/storage/database.js'
import { documentFolder } from '../../src/storage/document-folder.js'
import { openEmbeddedDatabase } from '../../src/storage/embedded/embedded-database.js'
import { migrate } from '../../src/storage/migrate.js'
import { openFaultyDatabase } from '../database.js'
import type { PartResult, SoakOptions } from '../part.js'
import { type FuzzOutcome, fuzz } from './fuzz.js'
import type { Target } from './world.js'

const usualRequests = 100_000
const shortRequests = 3000

/** The fuzzer as a part of the soak: the whole service over HTTP, on a database of its own. */
export async function run({ seed, isShort, requests, folder, tell }: SoakOptions): Promise<PartResult> {
  const started = performance.now()
  const { target, close } = await startService(folder)
  try {
    const outcome = await fuzz(target, { seed, requests: requests ?? (isShort ? shortRequests : usualRequests), tell })
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
    demoAccount: undefined,
    serves: { customers: true, operators: true },
    forwarderName: 'Waybill',
    answerMemory: 16 * 1024 * 1024,
    // Whoever watches sees why, should it fail.
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

function resultOf(outcome: FuzzOutcome, seconds: number): PartResult {
  const { requests, acknowledgedWrites, failures, leaks, violations, asked, accepted } = outcome
  const unasked = [...asked].filter(([, count]) => count === 0).map(([name]) => `${name} was never asked`)
  const isBroken = (rule: string) => violations.filter((line) => line.includes(rule)).length
  return {
    name: 'fuzz',
    told: `Valid, almost valid and hostile requests to every operation of the three interfaces, drawn from their descriptions. After each one: no failure, an answer that is declared and valid, what was accepted read back by other operations, what was refused without effect, another account as it was.`,
    requests,
    faults: 0,
    acknowledgedWrites,
    lost: isBroken('afterwards') + isBroken('something else than was sent'),
    doubled: 0,
    unexpectedFailures: failures,
    leaks,
    seconds,
    figures: [
      ['operations asked', share(asked)],
      ['operations that said yes', share(accepted)],
      ['answers by class', listed(outcome.statuses)],
      ['readings of what was accepted', String(outcome.readBack)],
      ['comparisons of an account that nobody meant', String(outcome.comparisons)],
      ['requests by what was odd', listed(outcome.kinds)],
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
