import { fork } from 'node:child_process'
import { once } from 'node:events'

/** Runs a program of the benchmark in a process of its own, which is sent its work and tells its result. */
export function runApart<Result>(program: string, work: object): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = fork(program, { execArgv: ['--import', 'tsx'] })
    child.send(work)
    let result: Result | undefined
    child.on('message', (message) => {
      result = message as Result
    })
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code === 0 && result) resolve(result)
      else reject(new Error(`${program} ended with ${code}`))
    })
  })
}

/** What the program is sent. */
export async function sentWork<Work>(): Promise<Work> {
  const [work] = (await once(process, 'message')) as [Work]
  return work
}
