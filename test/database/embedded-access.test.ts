import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect, test } from 'vitest'
import { clientConfig } from '../../src/database/address.js'
import { openDatabase } from '../../src/database/database.js'
import { restrictConnections } from '../../src/database/embedded/cluster.js'
import { openEmbeddedDatabase } from '../../src/database/embedded/embedded-database.js'
import { temporaryFolder } from '../support/program.js'

/** Which users of the machine can reach the embedded database. */

const run = promisify(execFile)

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777
}

test('a data folder that other users may enter is closed, and one that holds other files is left alone', async () => {
  const [folder, shared] = [await temporaryFolder(), await temporaryFolder()]
  await chmod(folder, 0o755)
  await (await openEmbeddedDatabase(folder)).release()
  expect(await modeOf(folder)).toBe(0o700)

  await mkdir(join(shared, 'photos'))
  await (await openEmbeddedDatabase(shared)).release()
  expect(await modeOf(shared)).toBe(0o755)
  expect(await modeOf(join(shared, 'postgres'))).toBe(0o700)
})

test('a connection as any other role is refused, and clusters of earlier versions are restricted too', async () => {
  const folder = await temporaryFolder()
  const database = await openEmbeddedDatabase(folder)
  const db = openDatabase(database.address, { connections: 1 })
  await db.unsafe('create role visitor login superuser')
  await db.end()
  const client = new pg.Client({ ...clientConfig(database.address), user: 'visitor' })
  await expect(client.connect()).rejects.toThrow('no pg_hba.conf entry')
  await database.release()
  expect(await readFile(join(folder, 'postgres', 'pg_hba.conf'), 'utf8')).not.toContain('trust')
})

test.runIf(process.getuid?.() === 0)(
  'another user of the machine cannot connect, even the one that the server runs as (needs root)',
  async () => {
    const folder = await temporaryFolder()
    const database = await openEmbeddedDatabase(folder)
    const config = clientConfig(database.address)
    // The socket is reachable for that user here: authentication alone keeps it out.
    await chmod(folder, 0o755)
    const { uid } = await stat(join(folder, 'postgres'))
    const script = `
      const pg = require('pg')
      process.setgid(${uid}); process.setuid(${uid})
      const client = new pg.Client(${JSON.stringify(config)})
      client.connect().then(() => console.log('connected'), (error) => console.log(error.message))
        .finally(() => client.end().catch(() => {}).then(() => process.exit()))`
    const { stdout } = await run(process.execPath, ['-e', script])
    expect(stdout).toContain('eer authentication failed')
    await database.release()
  },
)

test('a server that starts while another process writes its access files never reads one that is half written', async () => {
  const folder = await temporaryFolder()
  const [access, map] = [join(folder, 'pg_hba.conf'), join(folder, 'pg_ident.conf')]
  const earlier = 'written by an earlier version\n'
  await restrictConnections(folder)
  const expected = new Set([earlier, ...[access, map].map((path) => readFileSync(path, 'utf8'))])
  const seen = new Set<string>()
  for (let round = 0; round < 100; round += 1) {
    await writeFile(access, earlier)
    await writeFile(map, earlier)
    let isWriting = true
    const writing = restrictConnections(folder).finally(() => {
      isWriting = false
    })
    while (isWriting) {
      for (const path of [access, map]) seen.add(readFileSync(path, 'utf8'))
      await new Promise(setImmediate)
    }
    await writing
  }
  expect([...seen].filter((content) => !expected.has(content))).toEqual([])
})
