import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import type { Random } from '../src/sandbox/random.js'

/** Stands between Waybill and PostgreSQL, reads what the server says, and cuts connections where it hurts. */

/**
 * Where a connection is cut: before the answer to a statement inside a transaction; when a transaction is stored, but nobody
 * was told; and the same for a statement that is a transaction of its own.
 */
export type Cut = 'in the middle of a transaction' | 'between commit and answer' | 'after a single statement'

export type CuttingProxy = {
  port: number | undefined
  /** How often each kind of cut is made, of a thousand times that it could be. */
  cutOften: (perMille: number) => void
  /** Nothing gets through, and nobody is told: as when the way is cut somewhere between. */
  hold: (isHeld: boolean) => void
  /** Cuts all connections at once, as a firewall does that has been started anew. */
  reset: () => void
  made: Record<Cut, number>
  close: () => Promise<void>
}

type Place = { port: number } | { path: string }

export async function openCuttingProxy(
  target: Place,
  { random, at }: { random: Random; at?: string },
): Promise<CuttingProxy> {
  const made = { 'in the middle of a transaction': 0, 'between commit and answer': 0, 'after a single statement': 0 }
  const open = new Set<Socket>()
  let perMille = 0
  let isHeld = false

  const server = createServer((client) => {
    const upstream = 'port' in target ? connect(target.port, '127.0.0.1') : connect(target.path)
    const both = [client, upstream]
    const end = () => {
      for (const socket of both) socket.destroy()
    }
    for (const socket of both) {
      open.add(socket)
      if (isHeld) socket.pause()
      socket.on('error', end)
      socket.once('close', () => {
        open.delete(socket)
        end()
      })
    }
    client.on('data', (bytes) => upstream.write(bytes))
    const read = messageReader()
    upstream.on('data', (bytes) => {
      const cut = read(bytes).find((seen) => random.integer(1, 1000) <= perMille * rarity[seen])
      if (cut === undefined) return client.write(bytes)
      made[cut] += 1
      return end()
    })
  })
  if (at === undefined) server.listen(0, '127.0.0.1')
  else server.listen(at)
  await once(server, 'listening')
  return {
    port: at === undefined ? (server.address() as AddressInfo).port : undefined,
    cutOften(often) {
      perMille = often
    },
    hold(isWanted) {
      isHeld = isWanted
      for (const socket of open) {
        if (isHeld) socket.pause()
        else socket.resume()
      }
    },
    reset() {
      // A Unix socket knows no such thing.
      for (const socket of open) void (socket.remoteAddress ? socket.resetAndDestroy() : socket.destroy())
    },
    made,
    close: () => closeServer(server, open),
  }
}

// There are many more statements than transactions.
const rarity: Record<Cut, number> = {
  'in the middle of a transaction': 0.3,
  'between commit and answer': 2,
  'after a single statement': 0.5,
}

/** Reads the messages of a server, and tells what could be cut in these bytes. */
function messageReader(): (bytes: Buffer) => Cut[] {
  let held: Buffer = Buffer.alloc(0)
  let hasAnswered = false
  return (bytes) => {
    held = held.length === 0 ? bytes : Buffer.concat([held, bytes])
    const seen: Cut[] = []
    for (;;) {
      const length = held.length < 5 ? Number.POSITIVE_INFINITY : held.readUInt32BE(1) + 1
      if (held.length < length) return seen
      const message = held.subarray(0, length)
      held = held.subarray(length)
      // What a command was, without its counts; and whether a transaction is open when it is ready for the next.
      const type = String.fromCharCode(message[0] as number)
      const tag = type === 'C' ? message.toString('latin1', 5, length - 1) : ''
      if (tag === 'COMMIT') seen.push('between commit and answer')
      hasAnswered ||= tag !== '' && !['COMMIT', 'ROLLBACK'].includes(tag)
      if (type !== 'Z') continue
      const state = String.fromCharCode(message[5] as number)
      if (state === 'T') seen.push('in the middle of a transaction')
      else if (hasAnswered) seen.push('after a single statement')
      hasAnswered = false
    }
  }
}

async function closeServer(server: Server, open: Set<Socket>): Promise<void> {
  for (const socket of open) socket.destroy()
  server.close()
  await once(server, 'close')
}
