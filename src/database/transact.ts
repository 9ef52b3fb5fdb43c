import type { Readable, Writable } from 'node:stream'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { byteTypes } from './byte-rows.js'
import { withCode } from './errors.js'
import { Gathering } from './gathering.js'
import { Identifiers, type Run, SqlStatement } from './statement.js'

/** Runs the queries of a storage function: a pool or a transaction. */
export type Reader = {
  /** A statement, or a fragment of one. */
  <Rows extends object[] = Record<string, unknown>[]>(
    strings: TemplateStringsArray,
    ...values: unknown[]
  ): SqlStatement<Rows>
  /** Quoted table or column names. */
  (names: string | readonly string[]): Identifiers
  unsafe(text: string): Promise<unknown>
  /** Of a transaction. */
  gathering?: Gathering<Reader>
}

export type TransactionSql = Reader & {
  gathering: Gathering<Reader>
  /** Rolls back to the savepoint if the work, or a statement that it sent, fails; the transaction stays usable. */
  savepoint<Result>(work: (sql: TransactionSql) => Promise<Result>): Promise<Result>
  /** Sends statements without waiting for their results. If one fails, so does the transaction. */
  send(...statements: SqlStatement[]): void
}

/** A transaction with COPY. */
export type CopySql = TransactionSql & {
  copyFrom(statement: SqlStatement): Writable
  copyTo(statement: SqlStatement): Readable
}

export type TransactionOptions = {
  mode?: 'read write' | 'isolation level repeatable read read only'
  /** Milliseconds that a statement waits for a lock before it fails. */
  lockTimeout?: number
  /** Milliseconds that a statement may take, instead of the default of the connection; 0: no limit. */
  statementTimeout?: number
  /** Every lookup by index, with a plan that is kept: for transactions of many small lookups, such as writes. */
  pinsPlans?: boolean
}

/**
 * A lookup by key of up to some rows is planned for its own values each time, since the plan for any number of rows seems dearer:
 * planning took four fifths of its time (`npm run bench:events -- --profile`). Statistics may also be older than the rows: planned for
 * its own value, an account that they do not know would seem to have one row, and a table that was empty would be scanned.
 */
const pinnedPlans = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
}

const unparsed = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig

export function templateOf(run: Run) {
  return (first: TemplateStringsArray | string | readonly string[], ...values: unknown[]) =>
    isTemplate(first) ? new SqlStatement(run, first, values) : new Identifiers(first)
}

function isTemplate(first: TemplateStringsArray | string | readonly string[]): first is TemplateStringsArray {
  return typeof first === 'object' && 'raw' in first
}

type Corkable = Pick<Writable, 'cork' | 'uncork' | 'writableCorked'>

/** Statements that are sent before this turn of the event loop ends leave in one write to the socket. */
function query(client: pg.ClientBase, config: string | pg.QueryConfig): Promise<pg.QueryResult> {
  const { stream } = (client as unknown as { connection: { stream: Corkable } }).connection
  if (stream.writableCorked === 0) {
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
  return client.query(config)
}

/** `prefix` separates plans of one kind from those of another; undefined: statements have no names, each is planned again. */
export function runOn(client: pg.ClientBase, prefix: string | undefined = ''): Run {
  return async (prepared, form) => {
    try {
      const types = form === 'bytes' ? byteTypes(client) : unparsed
      const asArrays = form === 'objects' ? {} : { rowMode: 'array', types }
      const name = prefix === undefined || prepared.name === undefined ? undefined : prefix + prepared.name
      const { rows } = await query(client, { ...prepared, name, ...asArrays } as pg.QueryConfig)
      return rows as unknown[]
    } catch (error) {
      throw withCode(error)
    }
  }
}

/** One transaction on one connection. If the connection is lost, the transaction fails; no statement moves to another one. */
export async function transact<Result>(
  client: pg.ClientBase,
  work: (sql: TransactionSql) => Promise<Result>,
  {
    mode = 'read write',
    lockTimeout,
    statementTimeout,
    pinsPlans = false,
    named = true,
  }: TransactionOptions & { named?: boolean } = {},
): Promise<Result> {
  const timeouts = { lock_timeout: lockTimeout, statement_timeout: statementTimeout }
  const settings = Object.entries({ ...timeouts, ...(pinsPlans && pinnedPlans) })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `; set local ${name} = ${value}`)
  const run = runOn(client, named ? (pinsPlans ? 'pinned_' : '') : undefined)
  // Statements that are sent without waiting; `begin` goes out together with the first statement of the work.
  const sent = new SentStatements()
  sent.add(query(client, `begin ${mode}${settings.join('')}`))
  const sql = transactionOn(client, run, sent)
  try {
    const result = await work(sql)
    sql.gathering.flush()
    const [committed] = await Promise.all([query(client, commitOf(mode)), ...sent.results])
    // Of several statements there is a result each.
    const last = Array.isArray(committed) ? (committed as pg.QueryResult[]).at(-1) : committed
    if (last?.command !== 'COMMIT') throw new Error('the transaction was rolled back: one of its statements had failed')
    return result
  } catch (error) {
    sql.gathering.discard()
    await client.query('rollback').catch(() => {})
    throw withCode(await sent.causeOf(error))
  }
}

/**
 * A statement timeout ends the wait of a commit for a synchronous standby, and PostgreSQL then reports success: a write would be
 * acknowledged that a failover loses. So a commit has no limit.
 */
function commitOf(mode: TransactionOptions['mode']): string {
  return mode === 'read write' ? 'set local statement_timeout = 0; commit' : 'commit'
}

const transactionAborted = '25P02'

/** The statements that a transaction, or its part after a savepoint, has sent without waiting for their results. */
class SentStatements {
  readonly results: Promise<unknown>[] = []

  add(result: Promise<unknown>): void {
    result.catch(() => {})
    this.results.push(result)
  }

  /** After a failed statement all others fail with 25P02: report the first failure instead. */
  async causeOf(error: unknown): Promise<unknown> {
    if ((error as { code?: unknown }).code !== transactionAborted) return error
    const outcomes = await Promise.allSettled(this.results)
    const isCause = (reason: unknown) => (reason as { code?: unknown }).code !== transactionAborted
    const reasons = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
    return reasons.find(isCause) ?? error
  }
}

function transactionOn(client: pg.ClientBase, send: Run, sent: SentStatements, depth = 0): TransactionSql {
  const gathering = new Gathering(templateOf(send) as Reader, (statement) => sent.add(statement.send()))
  const run: Run = (prepared, form) => {
    gathering.flush()
    return send(prepared, form)
  }
  return Object.assign(templateOf(run), {
    gathering,
    unsafe: (text: string) => run({ text, name: undefined, values: [] }, 'objects'),
    async savepoint<Result>(work: (sql: TransactionSql) => Promise<Result>): Promise<Result> {
      const name = `point_${depth}`
      const within = new SentStatements()
      gathering.flush()
      within.add(query(client, `savepoint ${name}`))
      const inner = transactionOn(client, send, within, depth + 1)
      try {
        const result = await work(inner)
        inner.gathering.flush()
        await Promise.all([query(client, `release ${name}`), ...within.results])
        return result
      } catch (error) {
        inner.gathering.discard()
        await client.query(`rollback to ${name}; release ${name}`)
        throw withCode(await within.causeOf(error))
      }
    },
    send(...statements: SqlStatement[]) {
      for (const statement of statements) sent.add(statement.send())
    },
  }) as TransactionSql
}

export function copyMethods(client: pg.Client) {
  // COPY takes no parameters: values are names or fragments of such.
  const textOf = ({ strings, values }: SqlStatement): string =>
    strings.reduce((text, next, index) => {
      const value = values[index - 1] as Identifiers | SqlStatement
      return text + (value instanceof Identifiers ? value.text : textOf(value)) + next
    })
  return {
    copyFrom: (statement: SqlStatement): Writable => client.query(copyFrom(textOf(statement))),
    copyTo: (statement: SqlStatement): Readable => client.query(copyTo(textOf(statement))),
  }
}
