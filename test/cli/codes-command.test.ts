import { expect, inject, test } from 'vitest'
import { openDatabase } from '../../src/database/database.js'
import { runProgram, temporaryFolder } from '../support/program.js'

/** `waybill codes`. */

const env = { DATABASE_URL: inject('databaseUrl'), WAYBILL_DATA_DIR: await temporaryFolder() }
const codes = (...args: string[]) => runProgram(['codes', ...args], { env })

test('codes that are not known are listed by sender, mapped once, and their messages are processed again', async () => {
  const sender = `CODES-${process.pid}`
  const db = openDatabase({ url: env.DATABASE_URL }, { connections: 1 })
  const [message] = await db<{ message_id: number }[]>`
    insert into messages (sender, channel, format, hash, content, outcome)
    values (${sender}, 'http', 'iftsta', 'h', '', 'applied') returning message_id`
  for (const [format, code] of [
    ['iftsta', 'VSLDEP'],
    ['iftsta', 'BOTH'],
    ['table', 'BOTH'],
  ] as const) {
    await db`insert into sender_codes (sender, format, code, text) values (${sender}, ${format}, ${code}, 'Sails')`
    await db`
      insert into sender_code_uses (sender, format, code, message_id, uses)
      values (${sender}, ${format}, ${code}, ${message?.message_id ?? 0}, 3)`
  }
  const list = await codes('list', '--sender', sender)
  expect(list.stdout).toMatch(new RegExp(`${sender} +iftsta +VSLDEP +Sails +3 +${message?.message_id}`))

  const key = ['--sender', sender, '--code', 'VSLDEP']
  expect(await codes('map', ...key, '--to', 'SAILED')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--to'),
  })
  const mapped = await codes('map', ...key, '--to', 'DEPARTED', '--status', 'estimated')
  expect(mapped.stdout).toContain(`${sender}: VSLDEP means DEPARTED. 1 message is processed again`)
  expect(await db`select outcome from messages where sender = ${sender}`).toEqual([{ outcome: 'received' }])
  const known = JSON.parse((await codes('list', '--sender', sender, '--state', 'mapped', '--json')).stdout) as unknown
  expect(known).toMatchObject([
    { code: 'VSLDEP', mapped_to: 'DEPARTED', mapped_status: 'estimated', mapped_by: 'command-line' },
  ])
  expect((await codes('list', '--sender', sender)).stdout).not.toContain('VSLDEP')

  const both = ['--sender', sender, '--code', 'BOTH', '--to', 'LOADED']
  expect((await codes('map', ...both)).stderr).toContain('add --format with one of iftsta, table')
  expect((await codes('map', ...both, '--format', 'table')).code).toBe(0)
  expect((await codes('unmap', ...key)).code).toBe(0)
  expect((await codes('unmap', ...key)).code).toBe(1)
  await db`delete from messages where sender = ${sender}`
  await db.end({ timeout: 1 })
})

test('the vocabulary has every code with its meaning', async () => {
  const { stdout } = await codes('vocabulary')
  expect(stdout).toMatch(/DEPARTED +The vessel, aircraft, train or truck left the place\./)
  expect(stdout).toMatch(/ROLLED +/)
})
