import { fork } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LoadGenerator, LoadResult } from './load.js'

/** Where there is no wrk: autocannon, in a process of its own. */
export const autocannonGenerator: LoadGenerator = {
  name: 'autocannon 8',
  async write(file, _url, requests) {
    await writeFile(file, JSON.stringify(requests))
  },
  run(load) {
    return new Promise((resolve, reject) => {
      const child = fork(join(import.meta.dirname, 'autocannon-run.ts'), [JSON.stringify(load)], {
        execArgv: ['--import', 'tsx'],
      })
      let result: LoadResult | undefined
      child.on('message', (message) => {
        result = message as LoadResult
      })
      child.on('error', reject)
      child.on('exit', (code) => {
        if (code === 0 && result) resolve(result)
        else reject(new Error(`autocannon ended with ${code}`))
      })
    })
  },
}
