import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, onTestFinished } from 'vitest'
import type { ImportLine } from '../../src/contract/import-line.js'
import { type Database, openDatabase } from '../../src/database/database.js'
import { administer, withDatabase } from './database.js'
import { runProgram, temporaryFolder } from './program.js'

/** An installation: a data folder, and optionally another database (`DATABASE_URL`). */
export type Installation = { folder: string; env: Record<string, string> }

export async function newInstallation(): Promise<Installation> {
  const folder = await temporaryFolder()
  return { folder, env: { WAYBILL_DATA_DIR: join(folder, 'data'), WAYBILL_RATE_LIMIT: '0' } }
}

let databases = 0

/** An installation on a database of the test server, with a connection for inspecting it. */
export async function newInstallationOnServer(): Promise<Installation & { db: Database }> {
  databases += 1
  const name = `waybill_installation_${process.pid}_${databases}`
  await administer(inject('serverUrl'), `create database ${name}`)
  const url = withDatabase(inject('serverUrl'), name)
  const db = openDatabase({ url }, { connections: 2 })
  onTestFinished(async () => {
    await db.end({ timeout: 1 })
    await administer(inject('serverUrl'), `drop database ${name} with (force)`)
  })
  const { folder, env } = await newInstallation()
  return { folder, env: { ...env, DATABASE_URL: url }, db }
}

/** Runs a command that must succeed. Returns its output. */
export async function waybill({ env }: Installation, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runProgram(args, { env })
  // A slow machine shows the progress.
  const messages = stderr.replaceAll(/^\w+: \d+% of .+\n/gm, '')
  expect({ code, messages }).toEqual({ code: 0, messages: '' })
  return stdout.trim()
}

export async function importInto(installation: Installation, lines: Iterable<ImportLine>): Promise<void> {
  const file = join(installation.folder, 'lines.ndjson')
  await writeFile(file, [...lines].map((line) => `${JSON.stringify(line)}\n`).join(''))
  await waybill(installation, 'import', file)
}

/** Every row of every table, except the secrets that each restore renews. */
export async function contentOf(db: Database): Promise<Record<string, string>> {
  const tables = await db<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`
  const found: Record<string, string> = {}
  for (const { name } of tables.filter((table) => table.name !== 'service')) {
    const [row] = await db<{ rows: string | null }[]>`
      select string_agg(one.*::text, E'\n' order by one.*::text collate "C") as rows from ${db(name)} one`
    found[name] = createHash('sha256')
      .update(row?.rows ?? '')
      .digest('hex')
  }
  return found
}
