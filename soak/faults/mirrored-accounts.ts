import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom, type Random } from '../../src/sandbox/random.js'
import { readAccountLists } from '../account-lists.js'
import type { DatabaseKind } from '../database.js'
import type { AccountState } from '../expected.js'
import type { Part } from '../part.js'
import { World } from '../world.js'
import { killUntilOver } from './random-kill.js'

/**
 * The example mirrors follow the change feed of accounts that are written to, while the service, its database and the mirrors themselves
 * are killed. In the end their files equal the lists, byte by byte.
 */
export function mirroredAccounts(kind: DatabaseKind): Part {
  const name = `mirror:${kind}`
  return {
    name,
    async run(options) {
      const random = createRandom(`${options.seed}/${name}`)
      const world = await World.open(options, kind, { pause: 500 })
      const mirrors = world.accounts.map(
        (state, index) => new Mirror(world, state, join(options.folder, `${state.slug}.json`), index),
      )
      const over = new AbortController()
      try {
        const supervised = mirrors.map((mirror) => mirror.keepRunning(random.stream(mirror.slug), over.signal))
        const kills = options.isShort ? 2 : Number.POSITIVE_INFINITY
        const minutes = options.minutes ?? 5
        const pause: [number, number] = options.isShort ? [0, 1000] : [0, 20_000]
        await world.load.during(() => killUntilOver(world, random, { kills, minutes, pause }))
        over.abort()
        await Promise.all(supervised)
        await compareMirrors(world, mirrors)
      } finally {
        over.abort()
        for (const mirror of mirrors) mirror.kill()
      }
      const sum = (of: (mirror: Mirror) => number) => String(mirrors.reduce((total, mirror) => total + of(mirror), 0))
      world.figures.push(
        ['starts of the mirrors', sum(({ starts }) => starts)],
        ['of them killed with SIGKILL', sum(({ kills }) => kills)],
        ['resources compared', sum(({ resources }) => resources)],
        ['bytes compared', sum(({ bytes }) => bytes)],
      )
      return world.close({
        name,
        detail: `The service, its database or both were killed ${world.faults} times while the example mirrors (mirror.ts and mirror.py) followed each account, which were killed as well. Then the files of the mirrors were compared with the lists, byte by byte.`,
      })
    },
  }
}

const examples = join(import.meta.dirname, '..', '..', 'docs', 'examples')

/** The example program for an account, started again whenever it ends, as a supervisor does. */
class Mirror {
  readonly slug: string
  readonly state: AccountState
  readonly file: string
  readonly #world: World
  readonly #command: string[]
  #child: ChildProcess | undefined
  starts = 0
  kills = 0
  resources = 0
  bytes = 0

  constructor(world: World, state: AccountState, file: string, index: number) {
    this.#world = world
    this.slug = state.slug
    this.state = state
    this.file = file
    const [ts, py] = [join(examples, 'mirror.ts'), join(examples, 'mirror.py')]
    this.#command = index % 2 === 0 ? [process.execPath, '--import', 'tsx', ts] : ['python3', py]
  }

  /** Runs until the signal aborts, and kills it now and then. */
  async keepRunning(random: Random, signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.kill(), { once: true })
    while (!signal.aborted) {
      const ended = this.#start([])
      const killing = new AbortController()
      const kill = sleep(random.integer(500, 30_000), undefined, { signal: killing.signal }).then(
        () => {
          this.kills += 1
          this.kill()
        },
        () => undefined,
      )
      await ended
      killing.abort()
      await kill
      // Starting again and again while the service is away would take the processor that it needs to come back.
      do await sleep(1000, undefined, { signal }).catch(() => undefined)
      while (!signal.aborted && this.#world.traffic.addresses.length === 0)
    }
  }

  kill(): void {
    this.#child?.kill('SIGKILL')
  }

  /** Reads what is left of the feed; the text of its file. */
  async finish(): Promise<string> {
    const { code, complaint } = await this.#start(['--once'])
    if (code !== 0) this.#world.traffic.violate(`the mirror of ${this.slug} ended with ${code}: ${complaint}`)
    return readFile(this.file, 'utf8')
  }

  #start(args: string[]): Promise<{ code: number | null; complaint: string }> {
    this.starts += 1
    const address = this.#world.traffic.addresses[0] ?? 'http://127.0.0.1:1'
    const [command = '', ...given] = this.#command
    const child = spawn(command, [...given, address, this.file, ...args], {
      env: { ...process.env, WAYBILL_KEY: this.state.key },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#child = child
    let complaint = ''
    child.stderr.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(-500)
    })
    return new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => resolve({ code, complaint }))
    })
  }
}

async function compareMirrors(world: World, mirrors: Mirror[]): Promise<void> {
  for (const mirror of mirrors) {
    const { resources } = JSON.parse(await mirror.finish()) as { resources: Record<string, Record<string, object>> }
    const listed = await readAccountLists(world, mirror.state)
    for (const kind of new Set([...Object.keys(resources), ...Object.keys(listed)])) {
      const [kept, shown] = [resources[kind] ?? {}, listed[kind] ?? {}]
      for (const id of new Set([...Object.keys(kept), ...Object.keys(shown)])) {
        const [one, other] = [JSON.stringify(kept[id]), JSON.stringify(shown[id])]
        mirror.resources += 1
        mirror.bytes += other?.length ?? 0
        if (one !== other)
          world.traffic.violate(`${kind} ${id} of ${mirror.slug} is ${one} in the mirror, not ${other}`)
      }
    }
  }
}
