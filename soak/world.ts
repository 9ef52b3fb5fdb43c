import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createAccount } from '../src/usecases/accounts/create-account.js'
import { issueKey } from '../src/usecases/accounts/create-key.js'
import { createOperatorWithKey } from '../src/usecases/accounts/create-operator.js'
import { countMessages, countPendingMessages, countRevisions } from './change-log.js'
import { type Comparing, compare } from './comparison.js'
import { type DatabaseKind, type FaultyDatabase, openFaultyDatabase } from './database.js'
import { openConnections } from './exchange.js'
import { type AccountState, emptyState } from './expected.js'
import { Ledger } from './ledger.js'
import { Load } from './load.js'
import type { PartResult, SoakOptions } from './part.js'
import { type Program, retryWhileSlow, runCommand, type Serving, startServing, until } from './program.js'
import { compareRederived } from './rederivation.js'
import { Traffic } from './traffic.js'

/** A database, a service on it, accounts, clients that work on them, and a ledger of the acknowledged writes. */
export class World {
  readonly database: FaultyDatabase
  readonly traffic = new Traffic()
  readonly ledger: Ledger
  readonly accounts: AccountState[]
  readonly load: Load
  readonly env: Record<string, string>
  readonly #options: SoakOptions
  readonly #startedAt = performance.now()
  readonly #connections = openConnections({ keepAlive: true })
  #serving: Serving[] = []
  #lost = 0
  #doubled = 0
  #messages = 0
  faults = 0
  repeatedStarts = 0
  figures: [string, string][] = []

  private constructor(
    options: SoakOptions,
    given: {
      database: FaultyDatabase
      ledger: Ledger
      accounts: AccountState[]
      operatorKey: string
      env: Record<string, string>
      pause: number
    },
  ) {
    this.#options = options
    this.database = given.database
    this.ledger = given.ledger
    this.accounts = given.accounts
    this.env = given.env
    const { traffic, ledger, accounts } = this
    traffic.setAccounts(accounts.map(({ slug }) => slug))
    const { operatorKey, pause } = given
    this.load = new Load({ seed: `${options.seed}`, accounts, operatorKey, traffic, ledger, pause })
  }

  static async open(
    options: SoakOptions,
    kind: DatabaseKind,
    // Tests run concurrently: the load is lower.
    given: { env?: Record<string, string>; database?: FaultyDatabase; pause?: number; program?: string } = {},
  ): Promise<World> {
    const folder = join(options.folder, kind)
    await mkdir(folder, { recursive: true, mode: 0o755 })
    const database = given.database ?? (await openFaultyDatabase(kind, folder))
    const env = { ...database.env, ...given.env }
    const slugs = options.isShort ? ['acme', 'birch'] : ['acme', 'birch', 'cedar', 'dunes']
    const keeper = await startServing({ env, program: given.program })
    const db = await database.open()
    const accounts: AccountState[] = []
    // An older program stores them in a schema that this one cannot write to.
    const newKey = async (slug: string) => {
      if (given.program !== undefined) {
        await runCommand(['account', 'create', slug, '--name', slug], env, given.program)
        return runCommand(['key', 'create', '--account', slug, '--name', 'soak'], env, given.program)
      }
      const account = (await createAccount(db, slug, slug)) as number
      return (await issueKey(db, account, { scopes: ['read', 'write'], name: 'soak' })).key
    }
    for (const slug of slugs) {
      const key = await newKey(slug)
      accounts.push({ ...emptyState(slug, key), revisionsBefore: await countRevisions(db, slug) })
    }
    const operatorKey =
      given.program === undefined
        ? (await createOperatorWithKey(db, { name: 'soak', role: 'admin' })).key
        : await runCommand(['operator', 'create', '--name', 'soak', '--role', 'admin'], env, given.program)
    const [server] = await db<{ version: string }[]>`select current_setting('server_version') as version`
    await db.end()
    const ledger = new Ledger(join(folder, 'ledger.ndjson'))
    const pause = options.isShort ? 60 : (given.pause ?? 0)
    const world = new World(options, { database, ledger, accounts, operatorKey, env, pause })
    world.useServices([keeper])
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

  log(line: string): void {
    this.#options.log(line)
  }

  /** The running service, if there is only one. */
  get service(): Serving {
    return this.#serving[0] as Serving
  }

  get services(): Serving[] {
    return this.#serving
  }

  /** Sends requests to these services from now on. */
  useServices(serving: Serving[]): void {
    this.#serving = serving
    this.traffic.addresses = serving.map(({ baseUrl }) => baseUrl)
  }

  async startService(
    options: { nodeFlags?: string[]; args?: string[]; env?: Record<string, string> } = {},
  ): Promise<void> {
    this.useServices([await startServing({ ...options, env: { ...this.env, ...options.env } })])
  }

  /** As a supervisor does: on a busy machine a start can end because the database did not respond within some seconds. */
  async startAgain(): Promise<void> {
    await retryWhileSlow(
      () => this.startService({ env: { WAYBILL_WAIT_FOR_DATABASE: '600' } }),
      () => {
        this.repeatedStarts += 1
      },
    )
  }

  /** Kills the service; pending requests fail. */
  async killService(): Promise<void> {
    for (const serving of this.#serving) serving.kill('SIGKILL')
    await Promise.all(this.#serving.map(({ ended }) => ended))
    this.useServices([])
  }

  async stopService(): Promise<void> {
    const serving = this.#serving
    this.useServices([])
    for (const each of serving) await this.stop(each)
  }

  /** Stops a service with SIGTERM; it must exit with code 0. */
  async stop(program: Program): Promise<void> {
    program.kill('SIGTERM')
    const { code, signal } = await program.ended
    if (code !== 0) this.traffic.violate(`the service ended with an error after SIGTERM: ${code ?? signal}`)
  }

  /** Whether its readiness check succeeds. */
  async isReady(): Promise<boolean> {
    const { status } = await this.traffic.send({ method: 'GET', path: '/health/ready' }, this.#connections)
    return status === 200
  }

  async untilReady(): Promise<number> {
    return until('the service is ready', () => this.isReady())
  }

  /** Waits until a number of further writes were acknowledged. */
  async untilWritten(writes: number): Promise<void> {
    const enough = this.ledger.acknowledgedWrites + writes
    await until('enough is written', () => this.ledger.acknowledgedWrites >= enough)
  }

  /** Counts what another ledger than that of the writes found. */
  addDifference({ lost, doubled }: { lost: number; doubled: number }): void {
    this.#lost += lost
    this.#doubled += doubled
  }

  /** Compares the ledger with the service while there are no writes. */
  async compareNow({ whole = false } = {}): Promise<void> {
    const db = await this.database.open()
    try {
      await until('all messages are processed', async () => (await countPendingMessages(db)) === 0)
      this.#messages = (await countMessages(db)).all
      const { lost, doubled } = await compare(this.comparing, db, { whole })
      this.#lost = Math.max(this.#lost, lost)
      this.#doubled = Math.max(this.#doubled, doubled)
    } finally {
      await db.end({ timeout: 5 })
    }
  }

  /** Compares everything, also with responses derived again from the records, and stops all processes. */
  async close(result: Pick<PartResult, 'name' | 'detail'>): Promise<PartResult> {
    await this.compareNow({ whole: true })
    // Only a part in tests, to save time.
    const most = !this.isShort ? this.accounts.length : result.name.startsWith('killed-server') ? 1 : 0
    const some = { ...this.comparing, accounts: this.accounts.slice(0, most) }
    const faults = await compareRederived(some, this.env, join(this.#options.folder, this.database.kind))
    for (const fault of faults) this.traffic.violate(fault)
    for (const { errors } of this.#serving) for (const line of errors()) this.traffic.violate(line)
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
      seconds: Math.round((performance.now() - this.#startedAt) / 1000),
      figures: [
        ['messages stored', String(this.#messages)],
        ['503 with Retry-After', String(unavailable)],
        ['connections refused or cut', String(broken)],
        ...this.figures,
      ],
      violations,
    }
  }

  /** Stops all processes, also after a failure. */
  async end(): Promise<void> {
    for (const serving of this.#serving) serving.kill('SIGKILL')
    this.load.end()
    this.#connections.end()
    await this.ledger.close()
    await this.database.close()
  }
}
