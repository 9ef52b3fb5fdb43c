/** The statements of a migration. A semicolon inside a text or the body of a function ends none. */
export function splitStatements(sql: string): string[] {
  const parts = sql.match(/--[^\n]*|\$(\w*)\$[^]*?\$\1\$|'(?:[^']|'')*'|;|[^;'$-]+|[$-]/g) ?? []
  return parts
    .filter((part) => !part.startsWith('--'))
    .map((part) => (part === ';' ? '\0' : part))
    .join('')
    .split('\0')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

export type MigrationParts = {
  /** In one transaction. */
  within: string[]
  /** After it, each by itself, while other processes write. */
  after: string[]
}

type Divisible = { sql: string; backfill?: string; run?: unknown }

/**
 * On a table that exists, an index is built outside of the transaction, without blocking writes, and the one that it replaces is dropped
 * after that. `existing`: the names of tables and indexes before the migration.
 */
export function divideMigration({ sql, backfill, run }: Divisible, existing: ReadonlySet<string>): MigrationParts {
  const statements = splitStatements(sql)
  const isBuilt = (statement: string) => existing.has(indexTable(statement) ?? '')
  // A program may need what comes before it.
  const isOnline = run === undefined && statements.some(isBuilt)
  const isAfter = (statement: string) =>
    isOnline && (isBuilt(statement) || existing.has(/^drop index (\w+)$/i.exec(statement)?.[1] ?? ''))
  return {
    within: statements.filter((statement) => !isAfter(statement)),
    after: [...statements.filter(isAfter), ...(backfill === undefined ? [] : splitStatements(backfill))],
  }
}

/** The table on which a statement creates an index. */
export function indexTable(statement: string): string | undefined {
  return /^create (?:unique )?index \w+\s+on (\w+)/i.exec(statement)?.[1]
}
