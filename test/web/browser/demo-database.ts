import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject } from 'vitest'
import { type Database, openDatabase } from '../../../src/database/database.js'
import type { DocumentFiles } from '../../../src/documents/document-files.js'
import { documentFolder } from '../../../src/documents/document-folder.js'
import { importLines } from '../../../src/ingest/lines/import.js'
import { demoLines } from '../../../src/sandbox/demo.js'
import { sandboxCalendars, sandboxTerms } from '../../../src/sandbox/free-time.js'
import { updateSearchIndex } from '../../../src/store/search/search-state.js'
import { createAccount } from '../../../src/usecases/accounts/create-account.js'
import { saveFreeTime } from '../../../src/usecases/free-time/save-free-time.js'
import { administer, withDatabase } from '../../support/database.js'
import { copyDatabase } from '../../support/own-database.js'

/** A database with the sandbox's data around today, for each file: what one file changes, another one does not see. */

export const demoAccount = { slug: 'demo', name: 'Alder & Moreau SAS' }

// Any number, for one process at a time to make the database that is copied.
const makingLock = 4_711
let copies = 0

export async function copyOfDemo(): Promise<{ db: Database; url: string; files: DocumentFiles }> {
  const template = `${inject('templateDatabase')}_demo`
  await makeOnce(template)
  copies += 1
  const name = `${template}_${process.pid}_${copies}`
  const folder = await mkdtemp(join(tmpdir(), 'waybill-demo-'))
  afterAll(() => rm(folder, { recursive: true }))
  await cp(documentsOfDemo(), folder, { recursive: true })
  const db = await copyDatabase(template, name)
  return { db, url: withDatabase(inject('serverUrl'), name), files: documentFolder(folder) }
}

/** The first file of a run makes it, under another name until it is complete. */
async function makeOnce(name: string): Promise<void> {
  const server = openDatabase({ url: inject('serverUrl') }, { connections: 1 })
  await server.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(${makingLock})`
    const found = await sql`select from pg_database where datname = ${name}`
    if (found.length > 0) return
    const unfinished = `${name}_unfinished`
    await administer(inject('serverUrl'), `drop database if exists ${unfinished} with (force)`)
    await administer(inject('serverUrl'), `create database ${unfinished} template ${inject('templateDatabase')}`)
    await fill(withDatabase(inject('serverUrl'), unfinished))
    await administer(inject('serverUrl'), `alter database ${unfinished} rename to ${name}`)
  })
  await server.end()
}

async function fill(url: string): Promise<void> {
  const db = openDatabase({ url }, { connections: 2 })
  const id = await createAccount(db, demoAccount.slug, demoAccount.name)
  if (id === undefined) throw new Error('the account exists already')
  const faults: unknown[] = []
  await importLines({ db, files: documentFolder(documentsOfDemo()) }, bytesOfDemo(), {
    folder: documentsOfDemo(),
    skipInvalid: false,
    author: 'sandbox',
    onFault: (fault) => faults.push(fault),
  })
  expect(faults).toEqual([])
  const calendars = sandboxCalendars(today())
  await saveFreeTime(db, { terms: sandboxTerms, calendars }, 'sandbox')
  await updateSearchIndex(db, id)
  await db.end()
}

async function* bytesOfDemo(): AsyncGenerator<Buffer> {
  for await (const line of demoLines(today()))
    if (line.account === demoAccount.slug) yield Buffer.from(`${JSON.stringify(line)}\n`)
}

const documentsOfDemo = () => join(inject('runFolder'), 'documents')
const today = () => new Date().toISOString().slice(0, 10)
