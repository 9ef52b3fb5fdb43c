import { chmod, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { watchFolder } from '../../src/ingest/folder/watch-folder.js'
import { edifact, iftsta, ocean, x12 } from '../support/edi.js'
import { containerEvent, startCarrier } from '../support/messages.js'
import { temporaryFolder, until } from '../support/program.js'
import { startService } from '../support/service.js'

const service = await startService()

/** A folder with a place for the carrier, watched by some processes until the work is done. */
async function start() {
  const carrier = await startCarrier(service)
  const folder = await temporaryFolder()
  const own = join(folder, carrier.sender)
  await mkdir(own)
  async function whileWatched(work: () => Promise<void>, watchers = 1): Promise<string[]> {
    const stop = new AbortController()
    const errors: string[] = []
    const onError = (error: unknown) => void errors.push((error as Error).message)
    const options = { signal: stop.signal, quotas: {}, onError, settledAfter: 100 }
    const running = Array.from({ length: watchers }, () => watchFolder(service.db, folder, options))
    try {
      await work()
    } finally {
      stop.abort()
      await Promise.all(running)
    }
    return errors
  }
  const namesIn = async (name: string) => (await readdir(join(own, name)).catch((): string[] => [])).toSorted()
  const messages = async () =>
    (await carrier.ops('listMessages', undefined, { query: { sender: carrier.sender } })).body.messages
  return { ...carrier, folder, own, whileWatched, namesIn, messages }
}

const loaded = (container: string) => iftsta({ code: '48', at: '202603080900', place: 'CNNGB', container })

test('files of a sender are taken by their content, applied, acknowledged, and moved away', async () => {
  const { ship, containers, own, whileWatched, namesIn, messages, tracked } = await start()
  const id = await ship()
  const [one, other] = containers
  await writeFile(join(own, 'status.edi'), edifact([loaded(one)]))
  await writeFile(join(own, 'status.txt'), x12('315', [ocean(other, 'AE', '20260308', '0900', 'CNNGB')]))
  await writeFile(
    join(own, 'events.json'),
    JSON.stringify([containerEvent(one, { at: 'CNNGB', code: 'GTIN', day: 7 })]),
  )
  const gateIn = {
    reference: other,
    description: 'Gate in',
    status: 'actual',
    date: '2026-03-07T08:00:00Z',
    unlocode: 'CNNGB',
  }
  await writeFile(join(own, 'own.json'), JSON.stringify({ events: [gateIn] }))
  await writeFile(join(own, 'Events.CSV'), `Container;Event;Date;Port\n${other};Discharged;2026-03-14 16:00;SGSIN\n`)
  const errors = await whileWatched(() => until(async () => (await namesIn('done')).length === 5))
  expect(errors).toEqual([])
  const found = await messages()
  expect(found.map(({ format }) => format).toSorted()).toEqual(['dcsa', 'events', 'iftsta', 'table', 'x12'])
  expect(found.every(({ outcome, channel }) => outcome === 'applied' && channel === 'folder')).toBe(true)
  const idOf = (format: string) => found.find((each) => each.format === format)?.message_id
  expect(await namesIn('done')).toContain(`${idOf('iftsta')}-status.edi`)
  expect(await namesIn('acknowledgements')).toEqual([`${idOf('iftsta')}.edi`, `${idOf('x12')}.x12`].toSorted())
  expect(await readFile(join(own, 'acknowledgements', `${idOf('iftsta')}.edi`), 'utf8')).toContain(
    'UCM+1+IFTSTA:D:00B:UN+7',
  )
  expect(await namesIn('.')).toEqual(['acknowledgements', 'done', 'failed'])
  expect((await tracked(id)).tracking_steps?.flatMap(({ events = [] }) => events)).toHaveLength(5)
})

test('what is no message is moved to `failed`, with a text that says why', async () => {
  const { own, whileWatched, namesIn, messages } = await start()
  await writeFile(join(own, 'empty.edi'), '')
  await writeFile(join(own, 'huge.edi'), Buffer.alloc(4 * 1024 * 1024 + 1, 'UNB+'))
  await writeFile(join(own, 'letter.pdf'), '%PDF-1.7')
  await writeFile(join(own, 'broken.json'), '{')
  await writeFile(join(own, 'cut.edi'), edifact([loaded('NSLU0000008')]).slice(0, 100))
  await writeFile(join(own, 'odd\n\u001b[2J"name'), 'x')
  await symlink('/etc/passwd', join(own, 'link.edi'))
  await whileWatched(() => until(async () => (await namesIn('.')).length === 3))
  const reasons = new Map<string, string>()
  for (const name of await namesIn('failed'))
    if (name.endsWith('.txt'))
      reasons.set(name.replace(/^\d+-([0-9a-f]{8}-)?/, ''), await readFile(join(own, 'failed', name), 'utf8'))
  expect(Object.fromEntries(reasons)).toEqual({
    'empty.edi.txt': 'It is empty.\n',
    'huge.edi.txt': 'It is larger than 4 MiB.\n',
    'letter.pdf.txt': 'It is neither EDIFACT (UNA, UNB) nor X12 (ISA) nor JSON, CSV or XLSX.\n',
    'broken.json.txt': 'It is not valid JSON in UTF-8.\n',
    'cut.edi.txt': expect.stringMatching(/^The message ends within a segment: .* \(byte \d+\)\.\n$/),
    'odd_2J_name.txt': expect.stringContaining('neither'),
    'link.edi.txt': 'It is a symbolic link, which is not followed.\n',
  })
  expect(await namesIn('failed')).toHaveLength(14)
  // Only the interchange was readable enough for the inbox, and its header for an answer.
  expect(await messages()).toMatchObject([{ format: 'iftsta', outcome: 'unreadable' }])
})

test('a file that is being written is left alone until it is complete', async () => {
  const { ship, containers, own, whileWatched, namesIn, messages } = await start()
  await ship()
  const text = edifact([loaded(containers[0])])
  await whileWatched(async () => {
    for (const name of ['.hidden.edi', 'upload.edi.part', 'upload.edi.tmp']) await writeFile(join(own, name), text)
    // Written in pieces for longer than the watcher looks twice.
    for (let end = 1; end <= 30; end++) {
      await writeFile(join(own, 'slow.edi'), text.slice(0, Math.ceil((text.length * end) / 30)))
      await sleep(75)
    }
    await until(async () => (await namesIn('done')).length === 1)
    await rename(join(own, 'upload.edi.part'), join(own, 'upload.edi'))
    await until(async () => (await namesIn('done')).length === 2)
  })
  expect((await messages()).map(({ outcome }) => outcome)).toEqual(['duplicate', 'applied'])
  expect(await namesIn('.')).toEqual(['.hidden.edi', 'acknowledgements', 'done', 'failed', 'upload.edi.tmp'])
})

test('several processes take each file once', async () => {
  const { ship, containers, own, whileWatched, namesIn, messages } = await start()
  await ship()
  for (let number = 0; number < 20; number++)
    await writeFile(join(own, `${number}.edi`), edifact([loaded(containers[number % 2] as string)], String(number)))
  const errors = await whileWatched(() => until(async () => (await namesIn('done')).length === 20), 3)
  expect(errors).toEqual([])
  expect(await messages()).toHaveLength(20)
  expect((await messages()).filter(({ outcome }) => outcome === 'applied')).toHaveLength(2)
})

test('folders that lead elsewhere, have no name of a sender or cannot be written are not touched', async () => {
  const { folder, own, sender, whileWatched, messages } = await start()
  const outside = await temporaryFolder()
  await symlink(outside, join(folder, 'LINKED'))
  await mkdir(join(folder, ' odd'))
  await mkdir(join(folder, 'SEALED'))
  await symlink(outside, join(own, 'done'))
  for (const path of [outside, join(folder, ' odd'), join(folder, 'SEALED'), own, folder])
    await writeFile(join(path, 'file.edi'), edifact([loaded('NSLU0000008')]))
  await chmod(join(folder, 'SEALED'), 0o500)
  const errors = await whileWatched(() => sleep(2500))
  expect(errors).toContainEqual(expect.stringContaining('its name cannot be that of a sender'))
  expect(errors).toContainEqual(`${join(folder, sender, 'done')} is not a folder`)
  expect(await messages()).toEqual([])
  expect((await readdir(outside)).toSorted()).toEqual(['file.edi'])
  await chmod(join(folder, 'SEALED'), 0o700)
})
