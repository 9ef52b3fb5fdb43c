import { fork } from 'node:child_process'

/** Runs a program of the benchmark in a process of its own, which tells its result in one message. */
export function runApart<Result>(program: string, work: unknown): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = fork(program, [JSON.stringify(work)], { execArgv: ['--import', 'tsx'] })
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
