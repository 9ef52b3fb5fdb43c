import { createRandom, type Random } from '../../src/sandbox/random.js'
import { createBystander } from './bystander.js'
import { type Exchange, isAccepted, type Violation } from './contract-check.js'
import { curlOf } from './curl.js'
import { type Described, readDescriptions } from './description.js'
import { examine, named, perform, type Run } from './examination.js'
import { nameOf } from './json-text.js'
import { learn } from './learning.js'
import { mutated } from './mutations.js'
import { lives, openingOf } from './opening.js'
import { type Request, writtenRequest } from './request.js'
import { renamed, shrink } from './shrinking.js'
import { newTally, type Tally } from './tally.js'
import { type Focus, usualRequest } from './usual-requests.js'
import { openWire, type Send } from './wire.js'
import { createWorld, restoreInvoicing, secretsOf, type Target, type World } from './world.js'

/** Sends valid and mutated requests, and checks all invariants after each. */

export type FuzzOptions = {
  seed: number
  requests: number
  /** Stops after this number of distinct violations. */
  mostViolations?: number
  /** Wraps the connection: tests inject faults here. */
  through?: (send: Send) => Send
  log?: (line: string) => void
}
export type FuzzOutcome = Tally & { violations: string[] }

// Lists grow with every write: after this number of requests a new account is used.
const requestsPerWorld = 600
const requestsPerComparison = 1500

export async function fuzz(target: Target, options: FuzzOptions): Promise<FuzzOutcome> {
  const { seed, requests, mostViolations = 20, through = (send) => send, log = () => {} } = options
  const operations = readDescriptions()
  const tally = newTally(operations)
  const random = createRandom(`fuzz ${seed}`)
  const wire = openWire(target.baseUrl)
  const bystander = await createBystander(target, wire.send, `bystander-${seed}`)
  const before = await bystander.read()
  // Mails to other accounts are not used.
  target.mails.length = 0
  const violations: string[] = []
  const run: Run = {
    target,
    operations,
    tally,
    random,
    send: through(wire.send),
    bystander,
    seed,
    violations,
    log,
    world: await newWorld(target, seed, tally),
  }
  await prepareWorld(run)

  const deck = shuffledForever(operations, operations.flatMap(asOftenAsItTakes), random)
  let compared = 0
  let startedAt = 0
  while (tally.requests < requests && violations.length < mostViolations) {
    if (tally.requests - startedAt >= requestsPerWorld) {
      startedAt = tally.requests
      run.world = await newWorld(target, seed, tally)
      delete run.traces
      await prepareWorld(run)
    }
    await tellStory(run, deck)
    if (tally.requests - compared >= requestsPerComparison) {
      compared = tally.requests
      await compare(run, before)
      log(`${tally.requests} requests, ${violations.length} violations`)
    }
  }
  await compare(run, before)
  wire.close()
  return { ...tally, violations }
}

function newWorld(target: Target, seed: number, tally: Tally): Promise<World> {
  tally.worlds += 1
  return createWorld(target, `fuzz-${seed}-${tally.worlds}`)
}

async function prepareWorld(run: Run): Promise<void> {
  const { random, world } = run
  await restoreInvoicing(run.target)
  for (const { name, params = {}, body } of openingOf(world, random)) {
    const request = usualRequest(named(run, name), world, random, params)
    await prepare(run, { ...request, query: [], body: { is: 'json', value: body } })
  }
  await prepare(run, usualRequest(named(run, 'operator.uploadDocument'), world, random))
}

/** Creates the resources that later requests use; all of it must succeed. */
async function prepare(run: Run, request: Request): Promise<void> {
  const index = run.tally.requests
  const headers = request.headers.filter(([name]) => name !== 'idempotency-key')
  const { exchange, violation } = await perform(run, { ...request, headers })
  if (violation) await report(run, request, violation, index)
  if (!exchange || !isAccepted(exchange)) throw new Error(`${request.operation.name}: ${exchange?.response.text}`)
  await learn(run.target, run.world, exchange)
}

/** One operation, or a sequence on one resource; each request is valid or mutated, except that of an operation for the first time. */
async function tellStory(run: Run, deck: () => Described): Promise<void> {
  const operation = deck()
  const usual = usualRequest(operation, run.world, run.random)
  const isFirst = run.tally.asked.get(operation.name) === 0
  const exchange = await attempt(run, isFirst ? usual : bent(run, usual))
  const life = lives[operation.name]
  if (!life || !exchange || !isAccepted(exchange)) return
  const focus = focusOf(exchange)
  for (const name of life) {
    // Half of them are valid: otherwise few sequences would get past their first step.
    const next = usualRequest(named(run, name), run.world, run.random, focus)
    if (run.random.chance(0.7)) await attempt(run, run.random.chance(0.5) ? next : bent(run, next))
  }
}

function bent({ world, random, bystander }: Run, request: Request): Request {
  return mutated(request, { random, world, foreign: bystander.known })
}

/** The identifiers of a created resource, by path parameter. */
function focusOf({ request: { operation }, response }: Exchange): Focus {
  const json = response.json as Record<string, unknown>
  const names = ['reference', 'key_id', 'person_id', 'view_id'].filter((name) => name in json)
  const focus = Object.fromEntries(names.map((name) => [name, nameOf(json[name])]))
  if (json.id === undefined) return focus
  const isShipment = operation.name === 'operator.createShipment'
  const isInvoice = operation.name === 'operator.draftInvoice'
  return { ...focus, [isShipment ? 'svc_shipment_id' : isInvoice ? 'reference' : 'id']: nameOf(json.id) }
}

/** Sends a request and its follow-up reads; reports each distinct violation once. */
async function attempt(run: Run, request: Request): Promise<Exchange | undefined> {
  const index = run.tally.requests
  const { exchange, violation } = await examine(run, request)
  if (violation) await report(run, request, violation, index)
  return exchange
}

async function compare({ bystander, violations, tally }: Run, before: Map<string, string>): Promise<void> {
  const now = await bystander.read()
  tally.comparisons += 1
  for (const [name, text] of before) {
    if (now.get(name) === text) continue
    tally.leaks += 1
    violations.push(`${name} of an unrelated account was ${text}, and is ${now.get(name)}`)
  }
}

/** Reports a violation with the smallest request that reproduces it, once per kind. */
async function report(run: Run, request: Request, violation: Violation, index: number): Promise<void> {
  const { operation, kinds } = request
  const sort = `${operation.name} ${violation.rule}`
  if (run.violations.some((line) => line.startsWith(`${sort}\n`))) return
  const breaksTheSame = async (candidate: Request) => (await examine(run, candidate)).violation?.rule === violation.rule
  // A resource that exists already is created under another name.
  const least = await shrink(
    request,
    async (candidate) =>
      (await breaksTheSame(candidate)) || (await breaksTheSame(renamed(candidate, run.tally.requests))),
  )
  const detail = [
    sort,
    `  seed ${run.seed}, request ${index}, ${kinds.join(', ') || 'not mutated'}`,
    `  ${violation.detail}`,
    curlOf(writtenRequest(least), secretsOf(run.world)),
  ].join('\n')
  run.violations.push(detail)
  run.log(detail)
}

// Operations with large bodies get more requests.
function asOftenAsItTakes(operation: Described): Described[] {
  const fields = Object.keys(operation.body?.schema.properties ?? {}).length
  const times = 1 + Math.floor(operation.parameters.length / 4) + Math.floor(fields / 6)
  return Array.from({ length: times }, () => operation)
}

/** First each of `once`, so that a short run has them all. */
function shuffledForever<Item>(once: Item[], items: Item[], random: Random): () => Item {
  let left: Item[] = [...once]
  return () => {
    if (left.length === 0) left = [...items]
    return left.splice(random.integer(0, left.length - 1), 1)[0] as Item
  }
}
