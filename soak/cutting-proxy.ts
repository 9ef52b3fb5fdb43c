import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import type { Random } from '../src/sandbox/random.js'

/** A proxy between Waybill and PostgreSQL that parses the server's messages and cuts connections at critical points. */

/**
 * Where a connection is cut: before the response to a statement within a transaction; after a commit, before its response; and
 * the same for a statement outside of a transaction.
 */
export type Cut = 'in the middle of a transaction' | 'between commit and response' | 'after a single statement'

export type CuttingProxy = {
  port: number | undefined
  /** How many of a thousand opportunities are used for a cut. */
  cutOften: (perMille: number) => void
  /** Drops all traffic silently, like a network partition. */
  hold: (isHeld: boolean) => void
  /** Resets all connections at once, like a restarted firewall. */
  reset: () => void
  made: Record<Cut, number>
  close: () => Promise<void>
}

type Place = { port: number } | { path: string }

export async function openCuttingProxy(
  target: Place,
  { random, at }: { random: Random; at?: string },
): Promise<CuttingProxy> {
  const made = { 'in the middle of a transaction': 0, 'between commit and response': 0, 'after a single statement': 0 }
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
      // Unix sockets have no reset.
      for (const socket of open) void (socket.remoteAddress ? socket.resetAndDestroy() : socket.destroy())
    },
    made,
    close: () => closeServer(server, open),
  }
}

// There are many more statements than transactions.
const rarity: Record<Cut, number> = {
  'in the middle of a transaction': 0.3,
  'between commit and response': 2,
  'after a single statement': 0.5,
}

/** Parses the messages of the server, and returns the opportunities for a cut. */
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
      // C: the tag of a completed command. Z: ready for the next query, with the transaction state.
      const type = String.fromCharCode(message[0] as number)
      const tag = type === 'C' ? message.toString('latin1', 5, length - 1) : ''
      if (tag === 'COMMIT') seen.push('between commit and response')
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
