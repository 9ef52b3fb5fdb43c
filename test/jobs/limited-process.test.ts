import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { limitedProcess, ProcessLimitReached } from '../../src/jobs/limited-process.js'

const folder = await mkdtemp(join(tmpdir(), 'waybill-process-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

// Every kind of job that goes wrong.
await writeFile(
  join(folder, 'jobs.mjs'),
  `import { register } from '${import.meta.resolve('tsx/esm/api')}'
  register()
  const { serveJobs } = await import('${new URL('../../src/jobs/process-jobs.ts', import.meta.url).href}')
  const held = []
  serveJobs(async ({ is }, send) => {
    send(process.pid)
    await new Promise(setImmediate)
    if (is === 'endless') for (;;);
    if (is === 'waiting') await new Promise((resolve) => setTimeout(resolve, 3000))
    if (is === 'large') for (;;) held.push(new Array(10_000).fill(held.length + 0.5))
    if (is === 'failing') throw new Error('no such job')
    if (is === 'ending') process.exit(3)
  })`,
)
const run = limitedProcess<{ is: string }, number>(pathToFileURL(join(folder, 'jobs.mjs')), 64)

async function pidOf(is: string, signal?: AbortSignal, onPid = (_pid: number) => {}): Promise<number> {
  let pid = 0
  // More than enough for the jobs that end.
  const milliseconds = is === 'waiting' || (is === 'endless' && !signal) ? 2000 : 60_000
  await run(
    { is },
    {
      milliseconds,
      signal,
      onPart: (part) => {
        pid = part
        onPid(part)
      },
    },
  )
  return pid
}

async function hasEnded(pid: number): Promise<boolean> {
  for (let left = 100; left > 0; left -= 1) {
    try {
      process.kill(pid, 0)
    } catch {
      return true
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return false
}

test('a process is used again for the next job, and is another one for a job at the same time', async () => {
  const first = await pidOf('small')
  expect(first).not.toBe(process.pid)
  expect(await pidOf('small')).toBe(first)
  const [one, other] = await Promise.all([pidOf('small'), pidOf('small')])
  expect(one).not.toBe(other)
})

test.each([['endless'], ['large']])(
  'an %s job is stopped with its process, and the next job gets another',
  async (is) => {
    let ended = 0
    const failure: unknown = await pidOf(is, undefined, (pid) => (ended = pid)).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ProcessLimitReached)
    expect(await hasEnded(ended)).toBe(true)
    expect(await pidOf('small')).not.toBe(ended)
  },
  60_000,
)

test('a job that has to wait for a processor is not stopped: only the time that it uses counts', async () => {
  expect(await pidOf('waiting')).toBeGreaterThan(0)
  // The time of earlier jobs does not count either.
  expect(await pidOf('waiting')).toBe(await pidOf('small'))
})

test('a job whose signal aborts is stopped with its process', async () => {
  const client = new AbortController()
  let started = 0
  const running = pidOf('endless', client.signal, (pid) => {
    started = pid
    client.abort(new Error('gone'))
  })
  await expect(running).rejects.toThrow('gone')
  expect(await hasEnded(started)).toBe(true)
  await expect(pidOf('small', client.signal)).rejects.toThrow('gone')
})

test('an error in a job, or the end of its process, is an error of the job', async () => {
  await expect(pidOf('failing')).rejects.toThrow('no such job')
  await expect(pidOf('ending')).rejects.toThrow('a process for jobs ended with code 3')
  expect(await pidOf('small')).toBeGreaterThan(0)
})
