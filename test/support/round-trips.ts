import { connect, createServer, type Socket } from 'node:net'

/** Everything that a client sends before it waits for a result is one round trip, however many statements it is. */
export type RoundTrips = {
  url: string
  /** Of the last transaction, from `begin` to the result of `commit`. */
  ofLastTransaction(): number
  /** How many prepared statements the last transaction of a write ran; those that were prepared in it count twice. */
  statementsOfLastTransaction(): number
  close(): void
}

// Responses are delayed until the client has sent nothing for this long: by then it waits for one.
const silence = 50

/** A proxy in front of a database that counts how often its client waits for a result. */
export async function countRoundTrips(databaseUrl: string): Promise<RoundTrips> {
  const given = new URL(databaseUrl)
  const folder = given.searchParams.get('host')
  const port = Number(given.port || 5432)
  const sockets = new Set<Socket>()
  let current = 0
  let last = 0
  let statements = 0
  let lastStatements = 0
  const server = createServer((client) => {
    const database = folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, given.hostname)
    let held: Buffer[] = []
    let timer: NodeJS.Timeout | undefined
    const release = () => {
      if (held.length === 0) return
      current += 1
      for (const chunk of held.splice(0)) client.write(chunk)
    }
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(release, silence)
    }
    client.on('data', (chunk) => {
      const text = chunk.toString('latin1')
      if (text.includes('begin read write')) {
        current = 0
        statements = 0
      }
      statements += text.split('pinned_').length - 1
      if (text.includes('commit')) {
        last = current + 1
        lastStatements = statements
      }
      database.write(chunk)
      wait()
    })
    database.on('data', (chunk) => {
      held.push(chunk)
      wait()
    })
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        held = []
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address() as { port: number }
  given.searchParams.delete('host')
  given.hostname = '127.0.0.1'
  given.port = String(address.port)
  return {
    url: given.href,
    ofLastTransaction: () => last,
    statementsOfLastTransaction: () => lastStatements,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
