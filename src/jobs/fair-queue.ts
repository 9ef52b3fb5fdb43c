import { Refusal } from '../contract/refusals.js'

export type QueueLimits = {
  /** Jobs that run at the same time. */
  concurrency: number
  /** Jobs of one owner, waiting and running. */
  jobsPerOwner: number
  /** Jobs of all owners. */
  jobs: number
}

/** Runs slow jobs. `owner` is whom the jobs are shared fairly between: an account, or the address of a visitor. */
export type FairQueue = {
  run<Result>(owner: string | number, job: () => Promise<Result>, signal?: AbortSignal): Promise<Result>
}

type Owner = { running: number; waiting: (() => void)[] }

/**
 * Owners take turns, one job each, so the jobs of one delay the first job of another by one job per other owner. Further jobs of
 * an owner that has its full share are refused. A job whose signal aborts while it waits is dropped.
 */
export function fairQueue({ concurrency, jobsPerOwner, jobs: mostJobs }: QueueLimits, busy: string): FairQueue {
  // In the order of their turns.
  const owners = new Map<string | number, Owner>()
  let running = 0
  let jobs = 0

  function ownerOf(name: string | number): Owner {
    const owner = owners.get(name) ?? { running: 0, waiting: [] }
    owners.set(name, owner)
    return owner
  }

  function startNext(): void {
    if (running >= concurrency) return
    for (const [name, owner] of owners) {
      const start = owner.waiting.shift()
      if (!start) continue
      // The next turn of this owner comes after that of all others.
      owners.delete(name)
      owners.set(name, owner)
      running += 1
      owner.running += 1
      start()
      return
    }
  }

  async function waitForTurn(owner: Owner, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', drop)
        resolve()
      }
      const drop = () => {
        owner.waiting.splice(owner.waiting.indexOf(start), 1)
        reject(signal?.reason as Error)
      }
      signal?.addEventListener('abort', drop, { once: true })
      owner.waiting.push(start)
      startNext()
    })
  }

  return {
    async run(name, job, signal) {
      const owner = ownerOf(name)
      if (jobs >= mostJobs || owner.running + owner.waiting.length >= jobsPerOwner) {
        if (isIdle(owner)) owners.delete(name)
        throw new Refusal('service_unavailable', busy)
      }
      jobs += 1
      try {
        await waitForTurn(owner, signal)
        try {
          return await job()
        } finally {
          running -= 1
          owner.running -= 1
        }
      } finally {
        jobs -= 1
        if (isIdle(owner)) owners.delete(name)
        startNext()
      }
    },
  }
}

function isIdle({ running, waiting }: Owner): boolean {
  return running === 0 && waiting.length === 0
}
