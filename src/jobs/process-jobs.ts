import { watchProcessorTime } from './processor-time.js'

/** The jobs of a child process that `limitedProcess` has started. */

export type JobRequest = { task: unknown; milliseconds: number }
export type JobMessage<Part> = { part: Part } | { failure: string } | { isDone: true }

/** Performs each task that the parent process sends. `send` returns parts of its result. */
export function serveJobs(perform: (task: unknown, send: (part: unknown) => void) => Promise<void>): void {
  const limitProcessorTime = watchProcessorTime()
  const send = (message: JobMessage<unknown>) => void process.send?.(message)
  const end = (message: JobMessage<unknown>) => {
    limitProcessorTime(undefined)
    send(message)
  }
  process.on('message', ({ task, milliseconds }: JobRequest) => {
    limitProcessorTime(milliseconds)
    perform(task, (part) => send({ part })).then(
      () => end({ isDone: true }),
      (error: unknown) => end({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
  // A signal to the whole group, as a terminal sends, is for the service, which ends its jobs before it disconnects.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.once('disconnect', () => process.exit())
}
