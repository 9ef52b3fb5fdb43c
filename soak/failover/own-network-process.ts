import { writeFileSync } from 'node:fs'
import type { SoakOptions } from '../part.js'
import { resultFile } from './own-network.js'
import { runFailover } from './part.js'

/** The failover part in a network namespace of its own, with the options as JSON in its argument. */

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const given = JSON.parse(process.argv[2] as string) as Omit<SoakOptions, 'log'>
try {
  const result = await runFailover({ ...given, log: (line) => console.log(line) }, { isRoot: true })
  writeFileSync(resultFile(given.folder), JSON.stringify(result))
} catch (error) {
  console.error(error)
  process.exitCode = 1
}
process.exit()
