import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createAccount } from '../src/operator/accounts.js'
import { createOperatorWithKey, issueKey } from '../src/operator/keys.js'
import { compareAfresh } from './afresh.js'
import { countRevisions } from './change-log.js'
import { type Comparing, compare } from './comparison.js'
import { type DatabaseKind, type FaultyDatabase, openFaultyDatabase } from './database.js'
import { openConnections } from './exchange.js'
import { type AccountState, emptyState } from './expected.js'
import { Ledger } from './ledger.js'
import { Load } from './load.js'
import type { PartResult, SoakOptions } from './part.js'
import { type Program, type Serving, startServing, until } from './program.js'
import { Traffic } from './traffic.js'

/** A database, a service on it, accounts, those who work on them, and a ledger of what they were told. */
export class World {
  readonly database: FaultyDatabase
  readonly traffic = new Traffic()
  readonly ledger: Ledger
  readonly accounts: AccountState[]
  readonly load: Load
  readonly env: Record<string, string>
  readonly #options: SoakOptions
  readonly #begun = performance.now()
  readonly #connections = openConnections({ keepAlive: true })
  #serving: Serving[] = []
  #lost = 0
  #doubled = 0
  faults = 0
  figures: [string, string][] = []

  private constructor(
    options: SoakOptions,
    given: {
      database: FaultyDatabase
      ledger: Ledger
      accounts: AccountState[]
      operatorKey: string
      env: Record<string, string>
    },
  ) {
    this.#options = options
    this.database = given.database
    this.ledger = given.ledger
    this.accounts = given.accounts
    this.env = given.env
    const { traffic, ledger, accounts } = this
    traffic.tellAccounts(accounts.map(({ slug }) => slug))
    const { operatorKey } = given
    // A test shares its machine with others.
    const pause = options.isShort ? 60 : 0
    this.load = new Load({ seed: `${options.seed}`, accounts, operatorKey, traffic, ledger, pause })
  }

  static async open(
    options: SoakOptions,
    kind: DatabaseKind,
    given: { env?: Record<string, string>; database?: FaultyDatabase } = {},
  ): Promise<World> {
    const folder = join(options.folder, kind)
    await mkdir(folder, { recursive: true, mode: 0o755 })
    const database = given.database ?? (await openFaultyDatabase(kind, folder))
    const env = { ...database.env, ...given.env }
    const slugs = options.isShort ? ['acme', 'birch'] : ['acme', 'birch', 'cedar', 'dunes']
    const keeper = await startServing({ env })
    const db = await database.open()
    const accounts: AccountState[] = []
    for (const slug of slugs) {
      const account = (await createAccount(db, slug, slug)) as number
      const { key } = await issueKey(db, account, { scopes: ['read', 'write'], name: 'soak' })
      accounts.push({ ...emptyState(slug, key), revisionsBefore: await countRevisions(db, slug) })
    }
    const { key: operatorKey } = await createOperatorWithKey(db, { name: 'soak', role: 'admin' })
    const [server] = await db<{ version: string }[]>`select current_setting('server_version') as version`
    await db.end()
    const ledger = new Ledger(join(folder, 'ledger.ndjson'))
    const world = new World(options, { database, ledger, accounts, operatorKey, env })
    world.employ([keeper])
    world.figures.push(['version of PostgreSQL', server?.version ?? ''])
    return world
  }

  get isShort(): boolean {
    return this.#options.isShort
  }

  get comparing(): Comparing {
    const { accounts, ledger, traffic } = this
    return { accounts, ledger, traffic, connections: this.#connections }
  }

  tell(line: string): void {
    this.#options.tell(line)
  }

  /** The one that serves, where there is one. */
  get service(): Serving {
    return this.#serving[0] as Serving
  }

  get services(): Serving[] {
    return this.#serving
  }

  /** From here on these are asked. */
  employ(serving: Serving[]): void {
    this.#serving = serving
    this.traffic.addresses = serving.map(({ baseUrl }) => baseUrl)
  }

  async startService(
    options: { nodeFlags?: string[]; args?: string[]; env?: Record<string, string> } = {},
  ): Promise<void> {
    this.employ([await startServing({ ...options, env: { ...this.env, ...options.env } })])
  }

  /** Nobody is there to ask; what was being answered breaks off. */
  async killService(): Promise<void> {
    for (const serving of this.#serving) serving.kill('SIGKILL')
    await Promise.all(this.#serving.map(({ ended }) => ended))
    this.employ([])
  }

  async stopService(): Promise<void> {
    const serving = this.#serving
    this.employ([])
    for (const each of serving) await this.stop(each)
  }

  /** Tells one of them to stop, and expects that it does so in good order. */
  async stop(program: Program): Promise<void> {
    program.kill('SIGTERM')
    const { code, signal } = await program.ended
    if (code !== 0) this.traffic.violate(`told to stop, the service ended with ${code ?? signal}`)
  }

  /** Whether it says of itself that it can serve. */
  async isReady(): Promise<boolean> {
    const { status } = await this.traffic.send({ method: 'GET', path: '/health/ready' }, this.#connections)
    return status === 200
  }

  async untilReady(): Promise<number> {
    return until('the service is ready', () => this.isReady())
  }

  /** Until so many writes more were acknowledged, however fast the machine is. */
  async untilWritten(writes: number): Promise<void> {
    const enough = this.ledger.acknowledgedWrites + writes
    await until('enough is written', () => this.ledger.acknowledgedWrites >= enough)
  }

  /** The ledger beside the service, while nobody writes. */
  async compareNow({ whole = false } = {}): Promise<void> {
    const db = await this.database.open()
    try {
      const { lost, doubled } = await compare(this.comparing, db, { whole })
      this.#lost = Math.max(this.#lost, lost)
      this.#doubled = Math.max(this.#doubled, doubled)
    } finally {
      await db.end({ timeout: 5 })
    }
  }

  /** Everything once more, and every answer beside one that is derived from the records alone. Then all of it ends. */
  async close(result: Pick<PartResult, 'name' | 'told'>): Promise<PartResult> {
    await this.compareNow({ whole: true })
    // A test has no time for all of it.
    const most = !this.isShort ? this.accounts.length : result.name.startsWith('killed-server') ? 1 : 0
    const some = { ...this.comparing, accounts: this.accounts.slice(0, most) }
    const faults = await compareAfresh(some, this.env, join(this.#options.folder, this.database.kind))
    for (const fault of faults) this.traffic.violate(fault)
    for (const { complaints } of this.#serving) for (const line of complaints()) this.traffic.violate(line)
    await this.stopService()
    await this.end()
    const { requests, unexpectedFailures, leaks, violations, unavailable, broken } = this.traffic.tally
    return {
      ...result,
      requests,
      faults: this.faults,
      acknowledgedWrites: this.ledger.acknowledgedWrites,
      lost: this.#lost,
      doubled: this.#doubled,
      unexpectedFailures,
      leaks,
      seconds: Math.round((performance.now() - this.#begun) / 1000),
      figures: [
        ['answered 503 with Retry-After', String(unavailable)],
        ['connections refused or cut', String(broken)],
        ...this.figures,
      ],
      violations,
    }
  }

  /** Whatever became of it: no process is left. */
  async end(): Promise<void> {
    for (const serving of this.#serving) serving.kill('SIGKILL')
    this.load.end()
    this.#connections.end()
    await this.ledger.close()
    await this.database.close()
  }
}
