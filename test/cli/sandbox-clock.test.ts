import { once } from 'node:events'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newInstallationOnServer } from '../support/installation.js'
import { type Program, runProgram, startProgram, temporaryFolder, until } from '../support/program.js'
import { startService } from '../support/service.js'

/** The clock of the sandbox: moved over HTTP, it moves everything that depends on time. */

const folder = await temporaryFolder()
let baseUrl = ''

async function startSandbox(...args: string[]): Promise<Program> {
  const sandbox = startProgram(['sandbox', '--port', '0', ...args], {
    env: { WAYBILL_DATA_DIR: folder, WAYBILL_WEBHOOK_PRIVATE_NETWORKS: 'on' },
  })
  await until(() => sandbox.stdout().includes('Stop with Ctrl-C'))
  baseUrl = /^Waybill sandbox: (http:\S+)$/m.exec(sandbox.stdout())?.[1] ?? ''
  return sandbox
}

async function stop(sandbox: Program): Promise<void> {
  sandbox.kill('SIGTERM')
  expect((await sandbox.ended).code).toBe(0)
}

async function read<Body>(path: string): Promise<Body> {
  return (await (await fetch(baseUrl + path)).json()) as Body
}

async function post(path: string, sent: object, from: Record<string, string> = {}) {
  const headers = { 'content-type': 'application/json', ...from }
  const response = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(sent) })
  return { status: response.status, body: (await response.json()) as Partial<Clock> & { errors?: Fault[] } }
}

const move = (change: object) => post('/sandbox/v1/clock', change)
const scenario = (start: object) => post('/sandbox/v1/scenarios', start)

type Clock = { now: string; speed: number }
type Fault = { pointer: string; detail: string }
type Events = { events: { at: string; type: string }[]; cursor: string; has_more: boolean }

async function eventsAfter(cursor: string): Promise<Events['events']> {
  const { events, has_more, cursor: next } = await read<Events>(`/v1/events?limit=1000&after=${cursor}`)
  return has_more ? [...events, ...(await eventsAfter(next))] : events
}

test('time stands at the given date, moves forward only, and what is due happens on the way', async () => {
  const first = await startSandbox('--at', '2031-03-01', '--speed', '0')
  expect(await read('/sandbox/v1/clock')).toEqual({ now: '2031-03-01T00:00:00.000Z', speed: 0 })
  // The demo data is of that date, too.
  const [shipment] = await read<{ created_at: string }[]>('/v1/shipments?take=1')
  expect(shipment?.created_at).toMatch(/^2031-02/)

  for (const [change, pointer] of [
    [{ now: '2031-02-01T00:00:00Z' }, '/now'],
    [{ now: 'tomorrow' }, '/now'],
    [{ now: '2035-01-01T00:00:00Z' }, '/now'],
    [{ now: '2031-02-30' }, '/now'],
    [{ advance: 'P' }, '/advance'],
    [{ advance: 'PT' }, '/advance'],
    [{ advance: '1 day' }, '/advance'],
    [{ advance: 'P1D', now: '2031-03-02T00:00:00Z' }, '/advance'],
    [{ speed: -1 }, '/speed'],
    [{ speed: '1' }, '/speed'],
    [{ tick: 1 }, '/tick'],
    [{}, ''],
  ] as const) {
    const refused = await move(change)
    expect(refused, JSON.stringify(change)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } })
  }

  // A page of another origin cannot make a browser on this machine move the clock or start a scenario.
  for (const [name, value] of [
    ['origin', 'https://evil.example'],
    ['origin', 'null'],
    ['sec-fetch-site', 'cross-site'],
  ] as const) {
    const from = { [name]: value }
    expect((await post('/sandbox/v1/clock', { advance: 'P1W' }, from)).status).toBe(403)
    expect((await post('/sandbox/v1/scenarios', { name: 'customs hold' }, from)).status).toBe(403)
  }
  expect(await read('/sandbox/v1/clock')).toMatchObject({ now: '2031-03-01T00:00:00.000Z' })
  expect((await post('/sandbox/v1/clock', { speed: 0 }, { origin: baseUrl })).status).toBe(200)

  const { cursor } = await read<Events>('/v1/events?after=now')
  expect(await move({ advance: 'P1W' })).toEqual({ status: 200, body: { now: '2031-03-08T00:00:00.000Z', speed: 0 } })
  // Exceptions were raised at their times within the week, not at its end.
  const week = await eventsAfter(cursor)
  const raised = week.filter(({ type }) => type === 'exception.raised')
  expect(new Set(raised.map(({ at }) => at.slice(0, 10))).size).toBeGreaterThan(2)
  for (const { at } of raised) expect(at.slice(0, 7)).toBe('2031-03')
  // Customers go on booking.
  expect(week.filter(({ type }) => type === 'shipment.created').length).toBeGreaterThan(0)

  // Carriers have sent messages, which were applied; a scenario has some more.
  const started = await scenario({ name: 'customs hold' })
  expect(started).toMatchObject({ status: 201, body: { name: 'customs hold', shipments: [expect.any(String)] } })
  for (const name of ['rollover at Singapore', 'strike at Rotterdam for 5 days']) {
    const { body } = await scenario({ name })
    expect((body as { shipments: string[] }).shipments.length, name).toBeGreaterThan(0)
  }
  expect(await scenario({ name: 'nothing' })).toMatchObject({ status: 400, body: { errors: [{ pointer: '/name' }] } })
  const { operatorKey } = JSON.parse(await readFile(join(folder, 'sandbox.json'), 'utf8')) as { operatorKey: string }
  const received = await fetch(`${baseUrl}/ops/v1/messages`, { headers: { authorization: `Bearer ${operatorKey}` } })
  const { messages } = (await received.json()) as { messages: { format: string; outcome: string }[] }
  expect(new Set(messages.map(({ format }) => format))).toEqual(new Set(['dcsa', 'events']))
  expect(new Set(messages.map(({ outcome }) => outcome))).toEqual(new Set(['applied']))

  expect((await fetch(`${baseUrl}/sandbox/mailbox`)).headers.get('content-type')).toMatch(/^text\/html/)
  expect(await read('/sandbox/v1/mails')).toEqual({ mails: [] })
  // An endpoint that is gone is disabled: its admins get a mail, which the mailbox shows as it looks.
  const receiver = createServer((_request, response) => response.writeHead(410).end()).listen(0, '127.0.0.1')
  onTestFinished(() => void receiver.close())
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  expect((await post('/v1/webhooks', { url: `http://127.0.0.1:${port}/` })).status).toBe(201)
  await move({ advance: 'P1D' })
  type Mails = { mails: { mail_id: number; to: string; subject: string; text: string; html: string; at: string }[] }
  await until(async () => (await read<Mails>('/sandbox/v1/mails')).mails.length > 0)
  const [mail] = (await read<Mails>('/sandbox/v1/mails')).mails
  expect(mail).toMatchObject({ to: 'demo@waybill.example', subject: 'A webhook of Waybill was disabled' })
  expect(mail?.text).toContain(`${baseUrl}/developers`)
  const shown = await fetch(`${baseUrl}/sandbox/mailbox/${mail?.mail_id}`)
  expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await shown.text()).toContain(`href="${baseUrl}/developers"`)
  expect((await fetch(`${baseUrl}/sandbox/mailbox/999`)).status).toBe(404)
  const foreign = await fetch(`${baseUrl}/sandbox/v1/clock`, { headers: { 'x-forwarded-for': '203.0.113.7' } })
  expect(foreign.status).toBe(401)

  // A digest is in the mailbox when the response is here.
  const signedIn = await fetch(`${baseUrl}/portal/v1/session/demo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  const { csrf_token } = (await signedIn.json()) as { csrf_token: string }
  const cookie = signedIn.headers.getSetCookie().map((each) => each.split(';', 1)[0])
  const session = { cookie: cookie.join('; '), 'x-csrf-token': csrf_token }
  const daily = { scope: 'all', exceptions: [], changes: ['shipment.updated'], delivery: 'daily' }
  expect((await post('/portal/v1/subscriptions', daily, session)).status).toBe(201)
  await move({ advance: 'P2D' })
  const [digest] = (await read<Mails>('/sandbox/v1/mails')).mails
  expect(digest?.subject).toMatch(/^\d+ updates? for /)
  expect(digest?.at).toMatch(/^2031-03-1/)

  expect(await move({ advance: 'PT90S' })).toMatchObject({ body: { now: '2031-03-11T00:01:30.000Z' } })
  expect(await move({ now: '2031-03-12' })).toMatchObject({ body: { now: '2031-03-12T00:00:00.000Z' } })

  // The clock goes on from where it was.
  await stop(first)
  const file = join(folder, 'sandbox.json')
  const linked = join(folder, 'linked.json')
  await link(file, linked)
  const before = await readFile(linked, 'utf8')
  const second = await startSandbox()
  expect(await read('/sandbox/v1/clock')).toEqual({ now: '2031-03-12T00:00:00.000Z', speed: 0 })
  await move({ speed: 86_400 })
  await until(async () => (await read<Clock>('/sandbox/v1/clock')).now > '2031-03-13')
  await move({ speed: 0 })
  const { now: reached } = await read<Clock>('/sandbox/v1/clock')
  second.kill('SIGKILL')
  await second.ended
  // The file is replaced, never written over, so that a kill does not leave half of it.
  expect(await readFile(linked, 'utf8')).toBe(before)
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ clock: { now: reached, speed: 0 } })
  const earlier = await runProgram(['sandbox', '--port', '0', '--at', '2031-03-10'], {
    env: { WAYBILL_DATA_DIR: folder },
  })
  expect(earlier).toMatchObject({ code: 2, stderr: expect.stringContaining('time only moves forward') as string })

  // Without the file, the records show how far the time was moved.
  await rm(file)
  const third = await startSandbox()
  expect((await read<Clock>('/sandbox/v1/clock')).now).toMatch(/^2031-03-/)
  await stop(third)
})

test('a damaged sandbox.json is reported with what to do', async () => {
  const { env } = await newInstallationOnServer()
  const file = join(env.WAYBILL_DATA_DIR as string, 'sandbox.json')
  await mkdir(dirname(file), { recursive: true })
  for (const damaged of ['', '{"keys":{"demo":"wb_', '[]', '{}']) {
    await writeFile(file, damaged)
    expect(await runProgram(['sandbox', '--port', '0'], { env })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `waybill: ${file} is damaged: remove it; the sandbox then prints new keys, and its data stays\n`,
    })
  }
})

test('only the sandbox has a clock', async () => {
  const service = await startService()
  expect((await fetch(`${service.baseUrl}/sandbox/v1/clock`)).status).toBe(404)
})
