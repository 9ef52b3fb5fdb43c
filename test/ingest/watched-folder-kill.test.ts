import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { lockSender } from '../../src/store/messages.js'
import { edifact, iftsta } from '../support/edi.js'
import { importInto, newInstallationOnServer, waybill } from '../support/installation.js'
import { startServing, until } from '../support/program.js'

const container_number = 'MSKU7031415'

async function start() {
  const installation = await newInstallationOnServer()
  const inbox = join(installation.folder, 'inbox')
  const own = join(inbox, 'MAEU')
  await mkdir(own, { recursive: true })
  Object.assign(installation.env, { WAYBILL_INBOX_DIR: inbox })
  await importInto(installation, [
    { kind: 'account', account: 'acme', data: { name: 'Acme' } },
    {
      kind: 'shipment',
      account: 'acme',
      data: {
        svc_shipment_id: 'S-1',
        status: 'booked',
        freight_mode: 'ocean',
        cargo_ready_date: '2026-03-01',
        route: { origin_port_unlocode: 'CN/NGB', destination_port_unlocode: 'DE/HAM' },
        cargo: { containers: [{ container_number }] },
      },
    },
  ] as never)
  const outcomes = async () =>
    (await installation.db<{ outcome: string }[]>`select outcome from messages order by message_id`).map(
      ({ outcome }) => outcome,
    )
  const applied = async () =>
    (await installation.db`select distinct id from changes where kind = 'tracking_event' and author = 'sender:MAEU'`)
      .length
  const namesIn = async (name: string) => readdir(join(own, name)).catch((): string[] => [])
  return { ...installation, installation, own, outcomes, applied, namesIn }
}

const status = (minute: number) =>
  edifact(
    [
      iftsta({
        code: '74',
        at: `2026030809${String(minute).padStart(2, '0')}`,
        place: 'CNNGB',
        container: container_number,
      }),
    ],
    String(minute),
  )

test('a file whose message was stored when the service was killed is taken again, and applied once', async () => {
  const { installation, db, own, outcomes, applied, namesIn } = await start()
  const first = await startServing(installation)
  // Held, so that the message is stored and its processing waits.
  await db.begin(async (sql) => {
    await lockSender(sql, 'MAEU')
    await writeFile(join(own, 'a.edi'), status(0))
    await until(async () => (await outcomes()).length === 1)
    first.kill('SIGKILL')
    await first.ended
  })
  expect(await namesIn('.')).toContain('a.edi')
  const second = await startServing(installation)
  await until(async () => (await namesIn('done')).length === 1)
  expect([await outcomes(), await applied()]).toEqual([['applied', 'duplicate'], 1])
  expect(await readFile(join(own, 'done', (await namesIn('done'))[0] ?? ''), 'utf8')).toBe(status(0))
  second.kill('SIGTERM')
  await second.ended
})

test('files are neither lost nor applied twice while the service is killed again and again', async () => {
  const { installation, own, outcomes, applied, namesIn } = await start()
  const count = 40
  for (let minute = 0; minute < count; minute++) await writeFile(join(own, `${minute}.edi`), status(minute))
  for (let round = 0; round < 3; round++) {
    const serving = await startServing(installation)
    const before = (await namesIn('done')).length
    await until(async () => (await namesIn('done')).length > before || (await namesIn('done')).length === count)
    await sleep(40 * round)
    serving.kill('SIGKILL')
    await serving.ended
  }
  const last = await startServing(installation)
  await until(async () => (await namesIn('done')).length >= count)
  expect(await namesIn('failed')).toEqual([])
  expect((await namesIn('done')).map((name) => name.replace(/^\d+-/, '')).toSorted()).toEqual(
    Array.from({ length: count }, (_, minute) => `${minute}.edi`).toSorted(),
  )
  await until(async () => !(await outcomes()).includes('received'))
  expect((await outcomes()).filter((outcome) => outcome === 'applied')).toHaveLength(count)
  expect(await applied()).toBe(count)
  last.kill('SIGTERM')
  await last.ended
})

test('`waybill message import` takes files by their content', async () => {
  const { installation, folder, outcomes } = await start()
  const file = join(folder, 'status.edi')
  await writeFile(file, status(0))
  expect(await waybill(installation, 'message', 'import', file, '--sender', 'MAEU')).toMatch(
    /message \d+, applied, 1 event$/,
  )
  expect(await outcomes()).toEqual(['applied'])
})
