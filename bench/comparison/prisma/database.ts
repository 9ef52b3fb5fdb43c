import { PrismaPg } from '@prisma/adapter-pg'
import type { DatabasePlace } from '../../bench-server.js'
import { PrismaClient } from './generated/client.js'

// One generic plan for each prepared statement: planning these queries takes about as long as running them.
const options = '-c plan_cache_mode=force_generic_plan -c jit=off'

export function openDatabase({ socketFolder, port, user, database }: DatabasePlace): PrismaClient {
  const pool = { host: socketFolder, port, user, database, options, max: 10, idleTimeoutMillis: 0 }
  const adapter = new PrismaPg(pool, { statementNameGenerator: statementNames() })
  return new PrismaClient({ adapter })
}

/** Each text gets a name and is parsed once in each connection, except those with many values, which seldom recur. */
function statementNames() {
  const names = new Map<string, string>()
  return ({ sql, args }: { sql: string; args: unknown[] }): string => {
    if (args.length > 300) return ''
    const name = names.get(sql) ?? `q${names.size}`
    names.set(sql, name)
    return name
  }
}
