import { execFile } from 'node:child_process'
import { appendFile, cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Database } from '../../src/database/database.js'
import { clusterUser } from '../../src/database/embedded/cluster.js'
import { chownToServer } from '../../src/database/embedded/process-identity.js'
import { type FaultyDatabase, openFaultyDatabase } from '../database.js'
import { openConnections } from '../exchange.js'
import { findServerPrograms } from '../failover/debian-programs.js'
import type { Part } from '../part.js'
import { runCommand, until } from '../program.js'
import { World } from '../world.js'

const runFile = promisify(execFile)

/**
 * The drill of docs/backup.md: PostgreSQL archives its log, the whole cluster is destroyed, and restored to a second from a base backup
 * and the archive.
 */
export function pointInTime(): Part {
  const name = 'point-in-time'
  return {
    name,
    async run(options) {
      const programs = findServerPrograms()
      const folder = join(options.folder, 'postgres')
      const archive = join(folder, 'archive')
      const [base, cluster] = [join(folder, 'base'), join(folder, 'cluster')]
      const database = await openFaultyDatabase('postgres', folder)
      await mkdir(archive)
      await chownToServer(archive)
      await archiveTo(database, archive)
      const world = await World.open(options, 'postgres', { database })
      const more = options.isShort ? 30 : 400

      await world.load.during(async () => {
        await world.untilWritten(more)
        // Of the run, in the folder of the server, which has to read it.
        await chownToServer(join(cluster, 'server.log'))
        await copyRunning(database, join(programs, 'pg_basebackup'), base)
        await world.untilWritten(more)
      })
      await world.compareNow()
      const second = await noteSecond(database)
      const [accounts, mark] = [structuredClone(world.accounts), world.ledger.mark()]
      const before = world.ledger.acknowledgedWrites
      await world.load.during(() => world.untilWritten(more))
      const after = world.ledger.acknowledgedWrites - before
      const etag = await readEtag(world)
      await archiveRest(database)

      await Promise.all([world.killService(), database.kill()])
      await rm(cluster, { recursive: true })
      world.faults += 1

      const startedAt = performance.now()
      await cp(base, cluster, { recursive: true, preserveTimestamps: true })
      await appendFile(
        join(cluster, 'postgresql.auto.conf'),
        `restore_command = 'cp "${archive}/%f" "%p"'\nrecovery_target_time = '${second}'\nrecovery_target_action = 'promote'\n`,
      )
      await writeFile(join(cluster, 'recovery.signal'), '')
      await giveToServer(cluster)
      await database.restart()
      await untilPromoted(database)
      await runCommand(['secret', 'renew'], world.env)
      await world.startService()
      await world.untilReady()
      const took = performance.now() - startedAt

      for (const [index, state] of world.accounts.entries()) Object.assign(state, accounts[index])
      world.ledger.rewind(mark)
      if ((await readEtag(world, etag)) === undefined)
        world.traffic.violate('an ETag from after the second still matches')
      world.figures.push(
        ['acknowledged before the second, and compared', String(before)],
        ['acknowledged after the second, and gone', String(after)],
        ['segments of the log in the archive', String((await readdir(archive)).length)],
        ['from the beginning of the restore until ready', `${(took / 1000).toFixed(1)} s`],
      )
      return world.close({
        name,
        detail:
          'A PostgreSQL that archives its log was destroyed, with all of its files, and restored to a second between two writes from a base backup, taken under load, and the archive. Everything acknowledged before that second is there, and nothing later.',
      })
    },
  }
}

async function archiveTo(database: FaultyDatabase, archive: string): Promise<void> {
  const db = await database.open()
  await db.unsafe('alter system set archive_mode = on')
  await db.unsafe(`alter system set archive_command = 'test ! -f "${archive}/%f" && cp "%p" "${archive}/%f"'`)
  await db.end()
  await database.stop()
  await database.restart()
}

async function copyRunning(database: FaultyDatabase, program: string, folder: string): Promise<void> {
  const { hostname, port } = new URL(database.env.DATABASE_URL as string)
  const server = ['--host', hostname, '--port', port, '--username', clusterUser]
  await runFile(program, [...server, '--pgdata', folder, '--checkpoint', 'fast', '--wal-method', 'stream'])
}

/** A second of the database's clock, with a pause around it. */
async function noteSecond(database: FaultyDatabase): Promise<string> {
  return withOpen(database, async (db) => {
    const [row] = await db<{ second: string }[]>`
      select (date_trunc('second', clock_timestamp()) + interval '1 second')::text as second`
    await sleep(2000)
    return row?.second as string
  })
}

/** Archives what the last segment has so far; archive_timeout does that every minute. */
async function archiveRest(database: FaultyDatabase): Promise<void> {
  await withOpen(database, async (db) => {
    const [row] = await db<{ last: string }[]>`select pg_walfile_name(pg_switch_wal()) as last`
    await until('the log is archived', async () => {
      const [state] = await db<{ isDone: boolean }[]>`
        select last_archived_wal >= ${row?.last ?? ''} as "isDone" from pg_stat_archiver`
      return state?.isDone ?? false
    })
  })
}

async function untilPromoted(database: FaultyDatabase): Promise<void> {
  await withOpen(database, (db) =>
    until('the recovery has ended', async () => {
      const rows = await db<{ isOver: boolean }[]>`select not pg_is_in_recovery() as "isOver"`.catch(() => [])
      return rows[0]?.isOver ?? false
    }),
  )
}

async function withOpen<Result>(database: FaultyDatabase, work: (db: Database) => Promise<Result>): Promise<Result> {
  const db = await database.open()
  try {
    return await work(db)
  } finally {
    await db.end({ timeout: 5 })
  }
}

/** The ETag of a list; undefined if the given one still matches. */
async function readEtag(world: World, etag?: string): Promise<string | undefined> {
  const { slug, key } = world.accounts[0] as World['accounts'][number]
  const connections = openConnections({ keepAlive: false })
  const wanted = { method: 'GET', path: '/v1/purchaseOrders?take=20', key, etag }
  const outcome = await world.traffic.send(wanted, connections, slug)
  connections.end()
  return outcome.status === 200 && 'headers' in outcome ? outcome.headers.etag : undefined
}

async function giveToServer(folder: string): Promise<void> {
  await chownToServer(folder)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chownToServer(join(entry.parentPath, entry.name))
}
