import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import type { JobMessage, JobRequest } from './process-jobs.js'

/** The process was ended because a job took too long or too much memory. */
export class ProcessLimitReached extends Error {}

export type JobOptions<Part> = {
  /** Of processor time, for the whole job. */
  milliseconds: number
  /** Called for each part of the result. A long result comes in parts, so that no part takes long to receive. */
  onPart(part: Part): void
  /** Ends the job, and the process with it. */
  signal?: AbortSignal | undefined
}

/** Rejects with `ProcessLimitReached`, with the reason of the signal, or with the error of the job. */
export type RunJob<Task, Part> = (task: Task, options: JobOptions<Part>) => Promise<void>

// A busy machine gives a job a tenth of a processor, or more. A job that waits for something else is ended in the end, too.
const clockTimeFactor = 10

// Starting a process takes half a second, longer than most jobs, so it is kept for a while before its memory is freed.
const idleMilliseconds = 300_000

/**
 * Runs jobs in child processes that call `serveJobs`, one job at a time in each. There are as many processes as callers run jobs
 * at the same time. A job that fails ends its process. Unlike a thread, a process can be ended in the middle of any work, and
 * its memory is its own.
 */
export function limitedProcess<Task extends object, Part>(file: URL, megabytes: number): RunJob<Task, Part> {
  const idle = new Map<ChildProcess, NodeJS.Timeout>()

  function start(): ChildProcess {
    const child = fork(file, {
      execArgv: [`--max-old-space-size=${megabytes}`],
      // Without the settings of the service, some of which are secret.
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    // Errors of a job are found by its exit; without this listener one while idle would end the service.
    child.on('error', () => {})
    child.once('exit', () => {
      clearTimeout(idle.get(child))
      idle.delete(child)
    })
    yieldProcessor(child)
    return child
  }

  function takeProcess(): ChildProcess {
    const [kept] = idle
    if (!kept) return start()
    const [child, timer] = kept
    clearTimeout(timer)
    idle.delete(child)
    child.ref()
    child.channel?.ref()
    return child
  }

  // An idle process does not keep the service alive, and ends with it: its channel closes.
  function keepIdle(child: ChildProcess): void {
    if (child.exitCode !== null || child.signalCode !== null) return
    const timer = setTimeout(() => child.kill('SIGKILL'), idleMilliseconds)
    timer.unref()
    child.unref()
    child.channel?.unref()
    idle.set(child, timer)
  }

  return async (task, options) => {
    options.signal?.throwIfAborted()
    const child = takeProcess()
    try {
      await perform(child, task, options)
    } catch (error) {
      child.kill('SIGKILL')
      throw error
    }
    keepIdle(child)
  }
}

async function perform<Part>(child: ChildProcess, task: object, options: JobOptions<Part>): Promise<void> {
  const { milliseconds, onPart, signal } = options
  let timer: NodeJS.Timeout | undefined
  let release = () => {}
  try {
    await new Promise<void>((resolve, reject) => {
      const receive = (message: JobMessage<Part>) => {
        if ('part' in message) onPart(message.part)
        else if ('failure' in message) reject(new Error(message.failure))
        else resolve()
      }
      // The operating system, or V8 at the limit of its heap, ends a process by a signal.
      const exit = (code: number | null) =>
        reject(code === null ? new ProcessLimitReached() : new Error(`a process for jobs ended with code ${code}`))
      const abort = () => reject(signal?.reason as Error)
      timer = setTimeout(() => reject(new ProcessLimitReached()), milliseconds * clockTimeFactor)
      child.on('message', receive)
      child.once('exit', exit)
      signal?.addEventListener('abort', abort, { once: true })
      release = () => {
        child.off('message', receive)
        child.off('exit', exit)
        signal?.removeEventListener('abort', abort)
      }
      // An error of sending is followed by the exit.
      child.send({ task, milliseconds } satisfies JobRequest, () => {})
    })
  } finally {
    clearTimeout(timer)
    release()
  }
}

// The service goes first where there are fewer processors than processes.
function yieldProcessor({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Not permitted everywhere, and not needed.
  }
}
