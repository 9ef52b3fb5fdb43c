import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from './database.js'
import { openSocket, refusedSocket, type Security, type SocketAddress, tellOf } from './database-socket.js'
import { type Beginning, beginGuarded } from './guarded-transaction.js'

/**
 * A pool that outlasts its connections. The driver's own does not: what a transaction says after it has lost its connection
 * is sent over the next one, outside of any transaction or in the midst of somebody else's, or ends the process; what is
 * asked just then is never answered. Here a pool that has lost a connection is given up for another: what it has under way
 * on other connections comes to its end, and whoever has lost theirs is told so, and says nothing more.
 */

export type PoolOptions = {
  /** Opens the driver with connections that are made here. */
  open(own: DriverOptions): Sql
  max: number
  security: Security | undefined
  onConnection?: (() => void) | undefined
}

export type DriverOptions = {
  max: number
  /** Seconds after which a connection that nobody uses is ended. */
  idle_timeout?: number
  /** It is seen to here. */
  ssl: false
  socket: (address: SocketAddress) => Duplex | Promise<Duplex>
  backoff: () => number
}

/** For whoever watches over it: see `database-watch.ts`. */
export type PoolControl = {
  /** How many bytes were sent and have come since it was opened, but for what is asked by this. */
  traffic(): Traffic
  /** Asks something on a connection of its own; whether nothing came back for so long, not even a refusal. */
  isSilentFor(milliseconds: number): Promise<boolean>
  /** Breaks off everything, and refuses at once whatever is asked from here on. */
  refuse(): void
  /** Ends that. */
  accept(): void
}

type Traffic = { asked: number; answered: number }

/** One pool of the driver. */
type Generation = {
  driver: Sql
  sockets: Set<Socket>
  /** It only looks whether the database answers. */
  isWatcher: boolean
  /** One of its connections was lost: no other is made. */
  isSpoilt: boolean
  /** Connections of which not everybody who was on them has heard yet that they are lost. */
  losing: number
  /** Settled when it was given up, or ended, and has no connection left. */
  gone: Promise<void>
  onGone(): void
}

// Who waited in a pool that was given up for a connection has long been refused by then.
const untilEnd = 1000

const controls = new WeakMap<object, PoolControl>()

export function controlOf(db: Sql): PoolControl {
  const control = controls.get(db)
  if (!control) throw new Error('this is not a pool')
  return control
}

export function lastingPool({ open, max, security, onConnection = () => {} }: PoolOptions): Sql {
  const generations = new Set<Generation>()
  // Of connections that are no more.
  const past: Traffic = { asked: 0, answered: 0 }
  let isRefusing = false
  let isEnded = false
  let attempts = 0
  let current = start()
  let watcher: Generation | undefined

  function start({ isWatcher } = { isWatcher: false }): Generation {
    const own = isWatcher ? { max: 1, idle_timeout: 20 } : { max }
    const socket = (address: SocketAddress) => socketFor(generation, address)
    // Who is refused is to hear of it at once; nobody is tried for whom nobody waits.
    const driver = open({ ...own, ssl: false, socket, backoff: () => 0 })
    let onGone = () => {}
    const gone = new Promise<void>((resolve) => {
      onGone = resolve
    })
    const sockets = new Set<Socket>()
    const generation: Generation = { driver, sockets, isWatcher, isSpoilt: false, losing: 0, gone, onGone }
    generations.add(generation)
    return generation
  }

  function socketFor(generation: Generation, address: SocketAddress): Duplex | Promise<Duplex> {
    if (generation.isSpoilt || (isRefusing && !generation.isWatcher)) return refusedSocket(notMade())
    attempts += 1
    const { socket, secured } = openSocket(address, attempts, security)
    if (!secured) return follow(generation, socket)
    generation.sockets.add(socket)
    return secured
      .finally(() => generation.sockets.delete(socket))
      .then(
        (secure) => follow(generation, secure),
        (error: Error) => {
          socket.destroy()
          return refusedSocket(error)
        },
      )
  }

  function follow(generation: Generation, socket: Socket): Socket {
    let isLost = false
    generation.sockets.add(socket)
    return tellOf(socket, {
      onConnection,
      onLoss() {
        if (isLost) return
        isLost = true
        generation.losing += 1
        spoil(generation)
      },
      onClose() {
        if (!generation.isWatcher) count(past, socket)
        generation.sockets.delete(socket)
        // Those who were on it hear of it now.
        if (isLost) setImmediate(() => void (generation.losing -= 1))
        if ((generation.isSpoilt || isEnded) && generation.sockets.size === 0) forget(generation)
      },
    })
  }

  function spoil(generation: Generation): void {
    if (generation.isSpoilt || isEnded) return
    generation.isSpoilt = true
    if (generation === current) current = start()
    if (generation === watcher) watcher = undefined
    if (generation.sockets.size === 0) return forget(generation)
    // Connections that are not in use, now or when they no longer are.
    setTimeout(() => void generation.driver.end(), untilEnd).unref()
  }

  // The driver would wait for connections, too, that were lost.
  async function end(generation: Generation, options?: { timeout?: number }): Promise<void> {
    if (!generation.isSpoilt) return Promise.race([generation.driver.end(options), generation.gone])
    const timer = options?.timeout === undefined ? undefined : setTimeout(breakOff, options.timeout * 1000, generation)
    await generation.gone
    clearTimeout(timer)
  }

  function forget(generation: Generation): void {
    generations.delete(generation)
    generation.onGone()
  }

  const call = (...given: Parameters<Sql>) => current.driver(...given)
  const db = Object.assign(call, current.driver, {
    unsafe: (...given: Parameters<Sql['unsafe']>) => current.driver.unsafe(...given),
    begin: (...given: Beginning) => beginGuarded(current, given),
    async end(options?: { timeout?: number }) {
      isEnded = true
      await Promise.all([...generations].map((generation) => end(generation, options)))
    },
  }) as unknown as Sql

  controls.set(db, {
    traffic() {
      const sum = { ...past }
      for (const generation of generations) {
        if (!generation.isWatcher) for (const socket of generation.sockets) count(sum, socket)
      }
      return sum
    },
    async isSilentFor(milliseconds) {
      watcher ??= start({ isWatcher: true })
      const asked = watcher
      const isSilent = await isPendingFor(asked.driver`select 1`, milliseconds)
      if (isSilent) breakOff(asked)
      return isSilent
    },
    refuse() {
      isRefusing = true
      for (const generation of generations) if (!generation.isWatcher) breakOff(generation)
    },
    accept() {
      isRefusing = false
      // What was refused has left its traces in the driver.
      spoil(current)
    },
  })
  return db
}

function breakOff({ sockets }: Generation): void {
  const error = Object.assign(new Error('the database does not answer'), { code: 'ECONNRESET' })
  for (const socket of sockets) socket.destroy(error)
}

function notMade(): Error {
  return Object.assign(new Error('no connection to the database is made'), { code: 'ECONNREFUSED' })
}

function count(sum: Traffic, { bytesWritten, bytesRead }: Socket): void {
  sum.asked += bytesWritten
  sum.answered += bytesRead
}

// In two steps: if it was this process that stood still, what has come meanwhile is heard in between.
async function isPendingFor(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let isPending = true
  const settle = () => {
    isPending = false
  }
  const settled = work.then(settle, settle)
  for (let step = 0; step < 2 && isPending; step += 1) await Promise.race([settled, sleep(milliseconds / 2)])
  return isPending
}
