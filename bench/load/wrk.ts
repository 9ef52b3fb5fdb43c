import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { endedChildrenCpuSeconds } from '../processes.js'
import type { HttpRequest } from '../queries.js'
import { uniqueMarker } from '../sample-orders.js'
import type { LoadGenerator, LoadResult } from './generator.js'

const run = promisify(execFile)

/** `wrk`, if it is on the PATH: one thread, and a script that takes its requests from a file. */
export async function findWrk(): Promise<LoadGenerator | undefined> {
  // It prints its version and its usage, and exits with 1.
  const output = await run('wrk', ['--version']).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string }) => error.stdout ?? '',
  )
  const version = /^wrk \S+/m.exec(output)?.[0]
  if (version === undefined) return undefined
  return {
    name: version,
    async prepare(url, requests, file) {
      const { host } = new URL(url)
      await writeFile(file, Buffer.concat(requests.map((request) => framed(request, host))))
      const script = join(import.meta.dirname, 'wrk.lua')
      return {
        async run({ connections, seconds, firstNumber, from }) {
          const cpuBefore = endedChildrenCpuSeconds()
          const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '60s', '-s', script, url]
          const { stdout } = await run('wrk', [...args, '--', file, uniqueMarker, String(firstNumber), String(from)])
          const line = stdout.split('\n').find((each) => each.startsWith('result '))
          if (line === undefined) throw new Error(`wrk printed no result: ${stdout}`)
          const result = JSON.parse(line.slice('result '.length)) as Omit<LoadResult, 'cpuSeconds'>
          return { ...result, cpuSeconds: endedChildrenCpuSeconds() - cpuBefore }
        },
      }
    },
  }
}

// The length of a request on a line of its own, then the request as it is sent.
function framed({ method, path, headers, body = '' }: HttpRequest, host: string): Buffer {
  const length = body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ Host: host, ...headers, ...length }).map(([name, value]) => `${name}: ${value}\r\n`)
  const bytes = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
  return Buffer.concat([Buffer.from(`${bytes.length}\n`), bytes])
}
