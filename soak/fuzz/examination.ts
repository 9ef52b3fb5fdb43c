import type { Random } from '../../src/sandbox/random.js'
import type { Bystander } from './bystander.js'
import { addressedBy, checkContract, type Exchange, isAccepted, type Violation } from './contract-check.js'
import type { Described, Schema } from './description.js'
import { learn, noteAnswer, undoLockout } from './learning.js'
import { echoFault, type Reading, readingsAfter } from './readings.js'
import { type Request, type Wire, writtenRequest } from './request.js'
import type { Tally } from './tally.js'
import { readTraces } from './traces.js'
import type { Send } from './wire.js'
import { credentialsFor, type Target, type World } from './world.js'

/** Sends a request, and checks all invariants. */

/** The state of a run. */
export type Run = {
  target: Target
  operations: Described[]
  tally: Tally
  random: Random
  send: Send
  bystander: Bystander
  seed: number
  violations: string[]
  log: (line: string) => void
  world: World
  traces?: Map<number, string>
}

export function named({ operations }: Run, name: string): Described {
  const found = operations.find((operation) => operation.name === name)
  if (!found) throw new Error(`the descriptions have no operation ${name}`)
  return found
}

export type Examined = { exchange: Exchange | undefined; violation: Violation | undefined }

/** If the request was accepted, also sends the follow-up reads. */
export async function examine(run: Run, request: Request): Promise<Examined> {
  const { exchange, violation } = await perform(run, request)
  if (!exchange || violation) return { exchange, violation }
  const fault = echoFault(exchange)
  if (fault !== undefined)
    return { exchange, violation: { rule: 'returns something else than was sent', detail: fault } }
  const isElsewhere = (request.params.account ?? run.world.slug) !== run.world.slug
  const readings = isElsewhere ? [] : readingsAfter(exchange, run.world, run.random)
  await learn(run.target, run.world, exchange)
  const broken = await readAllBack(run, readings)
  if (await undoLockout(run.target, run.world, exchange, run.random)) delete run.traces
  return { exchange, violation: broken }
}

async function readAllBack(run: Run, readings: Reading[]): Promise<Violation | undefined> {
  for (const reading of readings) {
    const broken = await readBack(run, reading)
    if (broken) return broken
  }
  return undefined
}

async function readBack(
  run: Run,
  { name, params = {}, query = [], headers, check }: Reading,
): Promise<Violation | undefined> {
  const operation = named(run, name)
  const own = headers ?? credentialsFor(run.world, operation.room)
  const account = run.world.slug
  const request: Request = { operation, method: 'GET', params: { account, ...params }, query, headers: own, kinds: [] }
  const { exchange, violation } = await perform(run, request)
  if (violation) return { ...violation, rule: `${name} in a follow-up read ${violation.rule}` }
  run.tally.readBack += 1
  const fault = exchange && check?.(exchange.response)
  if (fault === undefined) return undefined
  const { status, text } = exchange!.response
  return {
    rule: `${name} in a follow-up read returns something else`,
    detail: `${fault}: ${status} ${text.slice(0, 300)}`,
  }
}

/** Sends one request with the checks that apply to all. */
export async function perform(run: Run, request: Request): Promise<Examined> {
  const { target, tally, operations, bystander, world } = run
  const accounts = [world.account, bystander.account]
  const before = run.traces ?? (await readTraces(target.db, accounts))
  const written = writtenRequest(request)
  const addressed = addressedBy(operations, request)
  tally.count(request, addressed)
  const response = await run.send(written).catch((error: unknown) => String(error))
  if (typeof response === 'string') {
    delete run.traces
    // If the headers are too long, the service does not know the method: the response to `HEAD` has a body.
    const isUnread = request.method === 'HEAD' && headLength(written) > longestHead
    return { exchange: undefined, violation: isUnread ? undefined : { rule: 'gets no response', detail: response } }
  }
  const exchange: Exchange = { request, response, addressed, sent: sentIn(request, written.body) }
  tally.countAnswer(exchange)
  noteAnswer(world, exchange)
  const after = await readTraces(target.db, accounts)
  run.traces = after
  return {
    exchange,
    violation: checkContract(exchange, anyProblemOf(operations)) ?? checkEffects(run, exchange, before, after),
  }
}

const longestHead = 16 * 1024

function headLength({ target, headers }: Wire): number {
  return target.length + headers.flat().join('    ').length
}

type Traces = Map<number, string>

// Operators read what happened in all accounts, and search them.
const overAllAccounts = new Set([
  'operator.listEvents',
  'operator.listWebhooks',
  'operator.findShipments',
  'operator.findOpenOrders',
  'operator.findNeededDocuments',
])

function checkEffects(
  { world, bystander, tally }: Run,
  exchange: Exchange,
  before: Traces,
  after: Traces,
): Violation | undefined {
  const showsAllAccounts = overAllAccounts.has(exchange.addressed?.name ?? '')
  if (exchange.response.bytes.includes(bystander.mark) && !showsAllAccounts) {
    tally.leaks += 1
    return { rule: "shows another account's data", detail: exchange.response.text.slice(0, 500) }
  }
  if (before.get(bystander.account) !== after.get(bystander.account)) {
    tally.leaks += 1
    return {
      rule: 'changes another account',
      detail: `${before.get(bystander.account)} -> ${after.get(bystander.account)}`,
    }
  }
  if (isAccepted(exchange) || before.get(world.account) === after.get(world.account)) return undefined
  const detail = `${exchange.response.status}: ${before.get(world.account)} -> ${after.get(world.account)}`
  return { rule: 'has an effect although it was refused', detail }
}

function sentIn({ body }: Request, bytes: Buffer | undefined): unknown {
  if (body?.is === 'form') {
    const fields = body.parts.filter(({ filename, head }) => filename === undefined && head === undefined)
    return Object.fromEntries(fields.map(({ name, content }) => [name, String(content)]))
  }
  if (!body || body.is === 'lines' || !bytes) return undefined
  try {
    // A byte order mark may precede it.
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown
  } catch {
    return undefined
  }
}

function anyProblemOf(operations: Described[]): Schema {
  const portal = operations.find(({ room }) => room === 'portal')
  return portal?.responses.get(400)?.content['application/problem+json'] ?? {}
}
