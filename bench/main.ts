import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openDatabaseServer } from './database-server.js'
import { measureGrowth } from './growth.js'
import { findLoadGenerator } from './load/generator.js'
import type { Bench } from './measure.js'
import { type Options, readOptions, usage } from './options.js'
import { profileWorkloads } from './profile.js'
import { measureRates } from './rates.js'
import { writeGrowth } from './report-files.js'

/** `npm run bench`: Waybill compared with the floor and other servers, in one run. */

const tasks: Record<Options['task'], (options: Options, bench: Bench) => Promise<number>> = {
  bench: measureRates,
  async growth(options, bench) {
    const growth = await measureGrowth(options, bench)
    if (options.isQuick && !options.write) console.log(JSON.stringify(growth, null, 2))
    else await writeGrowth(growth)
    return 0
  },
  async profile(options, bench) {
    await profileWorkloads(options, bench)
    return 0
  },
}

let isInterrupted = false
process.exitCode = await run(process.argv.slice(2)).catch((error: unknown) => {
  // The database was stopped during the run.
  if (isInterrupted) return 130
  throw error
})

async function run(args: string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(usage)
    return 0
  }
  const options = readOptions(args)
  const folder = options.keep ? resolve(options.keep) : await mkdtemp(join(tmpdir(), 'waybill-bench-'))
  const server = await openDatabaseServer(join(folder, options.task === 'growth' ? 'growth' : 'data'))
  const interrupt = () => {
    isInterrupted = true
    void server.close().finally(() => process.exit(130))
  }
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  const requests = join(folder, 'requests')
  try {
    await mkdir(requests, { recursive: true })
    const generator = await findLoadGenerator()
    console.log(`Load generator: ${generator.name}`)
    const { seconds, warmUpSeconds, mostSeconds, connections } = options
    const bench = { server, generator, folder: requests, seconds, warmUpSeconds, mostSeconds, connections }
    return await tasks[options.task](options, bench)
  } finally {
    await server.close()
    await rm(options.keep ? requests : folder, { recursive: true, force: true })
  }
}
