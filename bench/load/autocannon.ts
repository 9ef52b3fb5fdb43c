import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runApart } from '../apart.js'
import type { LoadGenerator } from './load.js'

/** Where there is no wrk: autocannon, in a process of its own. */
export const autocannonGenerator: LoadGenerator = {
  name: 'autocannon 8',
  async write(file, _url, requests) {
    await writeFile(file, JSON.stringify(requests))
  },
  run(load) {
    return runApart(join(import.meta.dirname, 'autocannon-run.ts'), load)
  },
}
