import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { openDatabase } from '../../src/database/database.js'
import { newAccount } from '../support/account.js'
import { administer, withDatabase } from '../support/database.js'
import { type ProgramOptions, runProgram, startProgram, temporaryFolder, until } from '../support/program.js'
import { startService } from '../support/service.js'

const service = await startService()

test('a valid file is summarized by kind, with exit code 0', async () => {
  const { slug, call } = await newAccount(service)
  const file = await fileOf([location(slug, 1), location(slug, 2)])
  const ended = await waybill(['import', file.path])
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(ended.stdout).toMatch(/^Imported 2 of 2 lines\.\nKIND +CREATED +UPDATED +UNCHANGED\n/)
  expect(ended.stdout).toMatch(/^location +2 +0 +0$/m)
  expect((await call('listLocations')).body).toEqual([{ id: 1 }, { id: 2 }])
})

test('--json prints the summary as one JSON object and nothing else', async () => {
  const { slug } = await newAccount(service)
  const { path } = await fileOf([location(slug, 1)])
  const ended = await waybill(['import', path, '--json'])
  expect(ended.code).toBe(0)
  expect(JSON.parse(ended.stdout)).toMatchObject({
    kept: true,
    lines: 1,
    rejected: 0,
    kinds: { location: { created: 1, updated: 0, unchanged: 0 }, shipment: { created: 0 } },
  })
})

test('an invalid file reports every invalid line on standard error, stores nothing, not even document files, and exits with 1', async () => {
  const { slug, call } = await newAccount(service)
  const file = await fileOf([
    location(slug, 1),
    'nonsense',
    document(slug),
    JSON.stringify({ kind: 'location', account: slug, data: { id: 'one', zip_code: true } }),
  ])
  const ended = await waybill(['import', file.path], { env: { WAYBILL_DATA_DIR: file.folder } })
  expect(ended.code).toBe(1)
  expect(ended.stdout).toBe('Nothing was changed: 2 of 4 lines are valid.\n')
  const messages = ended.stderr.trimEnd().split('\n')
  expect(messages).toHaveLength(4)
  expect(messages[0]).toMatch(/^line 2: is not a JSON object/)
  expect(messages.slice(1, 3).toSorted()).toEqual([
    expect.stringMatching(/^line 4: \/data\/id must be an integer$/),
    expect.stringMatching(/^line 4: \/data\/zip_code must be /),
  ])
  expect(messages[3]).toBe('waybill: 2 invalid lines: nothing was imported')
  expect((await call('listLocations')).body).toEqual([])
  expect((await call('listDocuments')).body).toEqual([])
  expect(await readdir(join(file.folder, 'documents'))).toEqual([])
  expect(await readdir(file.folder)).not.toContain('lines.ndjson.rejected')
})

test('--json reports an invalid file, too', async () => {
  const { path } = await fileOf(['nonsense'])
  const ended = await waybill(['import', path, '--json'])
  expect(ended.code).toBe(1)
  expect(JSON.parse(ended.stdout)).toMatchObject({ kept: false, lines: 1, rejected: 1 })
})

test('--skip-invalid imports the valid lines and copies the invalid ones unchanged to FILE.rejected', async () => {
  const { slug, call } = await newAccount(service)
  const folder = await temporaryFolder()
  const path = join(folder, 'lines.ndjson')
  const bad = [
    Buffer.from('\uFEFF{"kind": "location" }\t\r\n'),
    Buffer.concat([Buffer.from('{"kind": "'), Buffer.of(0xff, 0xfe), Buffer.from('"}\n')]),
    Buffer.from(JSON.stringify({ kind: 'tracking', account: slug, data: { svc_shipment_id: 'none\u2028' } })),
  ]
  const good = Buffer.from(`${location(slug, 1)}\r\n\n`)
  await writeFile(path, Buffer.concat([bad[0] as Buffer, good, bad[1] as Buffer, good, bad[2] as Buffer]))

  const ended = await waybill(['import', path, '--skip-invalid'])
  expect(ended.code).toBe(0)
  expect(ended.stdout).toContain('Imported 2 of 5 lines.')
  expect(ended.stdout).toContain(`3 invalid lines are in ${path}.rejected.`)
  expect(await readFile(`${path}.rejected`)).toEqual(Buffer.concat(bad))
  expect((await call('listLocations')).body).toEqual([{ id: 1 }])
})

test('rejected lines can be imported once the cause is fixed elsewhere', async () => {
  const { slug, call } = await newAccount(service)
  const tracking = JSON.stringify({ kind: 'tracking', account: slug, data: { svc_shipment_id: 'S-1' } })
  const { path } = await fileOf([tracking])
  expect((await waybill(['import', path, '--skip-invalid'])).code).toBe(0)
  const shipment = JSON.stringify({ kind: 'shipment', account: slug, data: { svc_shipment_id: 'S-1' } })
  expect((await waybill(['import', '-'], { input: shipment })).code).toBe(0)
  expect((await waybill(['import', `${path}.rejected`])).code).toBe(0)
  expect((await call('getTracking', { params: { svc_shipment_id: 'S-1' } })).status).toBe(200)
})

test('- reads standard input; document files are relative to the working directory', async () => {
  const { slug, call } = await newAccount(service)
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'paper.txt'), 'from a file')
  const data = { id: '6f0a7a4e-53c5-4a0e-8e7d-0c3b5b0f9a12', name: 'paper.txt', file: 'paper.txt' }
  const input = `${JSON.stringify({ kind: 'document', account: slug, data })}\nnonsense\n`
  const ended = await waybill(['import', '-', '--skip-invalid'], { input, cwd: folder })
  expect(ended.code).toBe(0)
  expect((await call('listDocuments')).body).toMatchObject([{ size: 11 }])
  expect(await readFile(join(folder, 'stdin.rejected'), 'utf8')).toBe('nonsense\n')
})

test('an import whose input takes longer than ten seconds reports how much it has received', async () => {
  const { slug, call } = await newAccount(service)
  const env = { DATABASE_URL: inject('databaseUrl'), WAYBILL_DATA_DIR: service.dataFolder }
  const program = startProgram(['import', '-'], { env, isInputOpen: true })
  program.child.stdin?.write(`${location(slug, 1)}\n`.padEnd(1_200_000, '\n'))
  await until(() => program.stderr() !== '')
  program.child.stdin?.end(location(slug, 2))
  const ended = await program.ended
  expect(ended.code).toBe(0)
  expect(ended.stderr).toMatch(/^Receiving: 1\.2 MB\n/)
  expect(ended.stdout).toMatch(/^Imported 2 of 2 lines\./)
  expect((await call('listLocations')).body).toEqual([{ id: 1 }, { id: 2 }])
})

test('a missing file is reported in one line', async () => {
  const ended = await waybill(['import', '/nowhere/lines.ndjson'])
  expect(ended).toMatchObject({ code: 1, stdout: '', stderr: 'waybill: there is no file /nowhere/lines.ndjson\n' })
})

test.runIf(process.getuid?.() === 0)('an unreadable file is reported in one line (needs root)', async () => {
  const { path, folder } = await fileOf(['{}'])
  await chmod(path, 0)
  const identity = { uid: 65534, gid: 65534 }
  const ended = await waybill(['import', path], { identity, env: { WAYBILL_DATA_DIR: folder } })
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toMatch(
    /^waybill: .+lines\.ndjson cannot be read \(EACCES: permission denied.+\): give this user read access.*\n$/,
  )
})

test('a long file is imported completely in bounded memory', async () => {
  const count = 6000
  const name = `waybill_import_${process.pid}`
  await administer(inject('serverUrl'), `create database ${name}`)
  const databaseUrl = withDatabase(inject('serverUrl'), name)
  const folder = await temporaryFolder()
  const path = join(folder, 'many.ndjson')
  const filler = 'x'.repeat(16_000)
  const lines = [JSON.stringify({ kind: 'account', account: 'many', data: { name: 'Many' } })]
  for (let index = 0; lines.length < count; index += 1) {
    const svc_shipment_id = `S-${index}`
    lines.push(
      JSON.stringify({ kind: 'shipment', account: 'many', data: { svc_shipment_id, specific_instructions: filler } }),
      JSON.stringify({ kind: 'invoice', account: 'many', data: { reference: `I-${index}`, svc_shipment_id } }),
      JSON.stringify({ kind: 'tracking', account: 'many', data: { svc_shipment_id, status: 'pending' } }),
    )
  }
  lines.length = count
  await writeFile(path, lines.join('\n'))

  const ended = await runProgram(['import', path, '--json'], {
    env: { DATABASE_URL: databaseUrl, WAYBILL_DATA_DIR: folder },
    nodeOptions: ['--max-old-space-size=48'],
    timeout: 110_000,
  })
  expect(ended.stderr).toBe('')
  expect(ended.code).toBe(0)
  const { kinds, lines: read } = JSON.parse(ended.stdout) as { lines: number; kinds: Record<string, object> }
  expect(read).toBe(count)
  const db = openDatabase({ url: databaseUrl }, { connections: 1 })
  const [stored] = await db`
    select (select count(*) from shipments) as shipment, (select count(*) from invoices) as invoice,
      (select count(*) from tracking) as tracking`
  await db.end()
  expect(stored).toEqual({ shipment: count / 3, invoice: count / 3, tracking: count / 3 - 1 })
  expect(kinds).toMatchObject({ shipment: { created: count / 3 }, tracking: { created: count / 3 - 1 } })
  await administer(inject('serverUrl'), `drop database ${name} with (force)`)
})

function location(account: string, id: number): string {
  return JSON.stringify({ kind: 'location', account, data: { id } })
}

function document(account: string): string {
  const data = { id: '6f0a7a4e-53c5-4a0e-8e7d-0c3b5b0f9a11', name: 'a.txt', content_base64: 'aGVsbG8=' }
  return JSON.stringify({ kind: 'document', account, data })
}

async function fileOf(lines: string[]): Promise<{ folder: string; path: string }> {
  const folder = await temporaryFolder()
  const path = join(folder, 'lines.ndjson')
  await writeFile(path, `${lines.join('\n')}\n`)
  return { folder, path }
}

async function waybill(args: string[], options: ProgramOptions = {}) {
  const env = { DATABASE_URL: inject('databaseUrl'), WAYBILL_DATA_DIR: service.dataFolder, ...options.env }
  return runProgram(args, { ...options, env })
}

test('--check reports every fault and changes nothing, with and without faults', async () => {
  const { slug, call } = await newAccount(service)
  const good = await fileOf([location(slug, 1), document(slug)])
  const checked = await waybill(['import', '--check', good.path], { env: { WAYBILL_DATA_DIR: good.folder } })
  expect(checked.code).toBe(0)
  expect(checked.stdout).toBe('Nothing was changed: 2 of 2 lines are valid.\n')
  const bad = await fileOf([location(slug, 1), 'nonsense'])
  const refused = await waybill(['import', '--check', '--skip-invalid', bad.path], {
    env: { WAYBILL_DATA_DIR: bad.folder },
  })
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(/^line 2: is not a JSON object/)
  expect((await call('listLocations')).body).toEqual([])
  expect((await call('listDocuments')).body).toEqual([])
})
