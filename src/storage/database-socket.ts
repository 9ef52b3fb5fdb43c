import { isIP, Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { connect as connectSecurely } from 'node:tls'
import { messageSocket } from './message-socket.js'

/** The connections that the driver is given. It could make them itself, but would not tell what becomes of them. */

/** As the driver understands it: several hosts are tried in turn. */
export type SocketAddress = { path: string | false; host: string[]; port: number[] }

/** As the address of a database says it, by `sslmode` and `sslnegotiation`. */
export type Security = { mode: string; isDirect: boolean }

export type SocketEvents = {
  onConnection(): void
  /** It was lost, not ended by us: told before anybody else hears of it. */
  onLoss(): void
  onClose(): void
}

/** Not yet connected; with TLS it takes another's place when that has been agreed upon. */
export type OpenedSocket = { socket: Socket; secured: Promise<Socket> | undefined }

export function openSocket({ path, host, port }: SocketAddress, attempt: number, security?: Security): OpenedSocket {
  const place = attempt % host.length
  const name = host[place] as string
  // With TLS, what comes is not yet what was said.
  const socket = security ? new Socket() : messageSocket()
  // The driver must have said what it says first when it hears that nobody is there: it would keep that for later.
  setImmediate(() => {
    if (socket.destroyed) return
    if (path) socket.connect(path)
    else socket.connect(port[place] as number, name)
  })
  return { socket, secured: security && secure(socket, name, security) }
}

/** What the driver takes for a connection, and is told that there is none. */
export function refusedSocket(error: Error): Duplex {
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
  // When the driver listens, and has said what it says first.
  setTimeout(() => socket.destroy(error), 1)
  return socket
}

// Listeners would not do: the driver must not be the first to hear of anything. And told on closing that there was an error,
// it would forget whoever has come since it was told of that.
export function tellOf(socket: Socket, { onConnection, onLoss, onClose }: SocketEvents): Socket {
  const emit = socket.emit.bind(socket)
  let isConnected = false
  let isLeft = false
  socket.emit = (event: string | symbol, ...given: unknown[]) => {
    if (event === 'data') return emit(event, ...given)
    if (event === 'connect' || event === 'secureConnect') connected()
    // Before the socket answers it by an end of its own.
    if (event === 'end') isLeft = !socket.writableEnded
    const isLost = event === 'error' || (event === 'close' && (isLeft || !socket.writableEnded))
    if (isLost && isConnected) onLoss()
    if (event !== 'close') return emit(event, ...given)
    onClose()
    return emit(event, false)
  }
  if (socket.readyState === 'open' && !socket.connecting) connected()
  return socket

  function connected(): void {
    isConnected = true
    onConnection()
  }
}

/** TLS as PostgreSQL does it: it is asked for first, unless the server expects it at once. */
async function secure(socket: Socket, host: string, { mode, isDirect }: Security): Promise<Socket> {
  const isOptional = mode === 'prefer' || mode === 'allow'
  if (!isDirect && !(await isGranted(socket))) {
    if (isOptional) return socket
    throw Object.assign(new Error('the database does not speak TLS'), { code: 'ECONNREFUSED' })
  }
  return connectSecurely({
    socket,
    ...(isIP(host) === 0 && { servername: host }),
    ...(isDirect && { ALPNProtocols: ['postgresql'] }),
    ...((isOptional || mode === 'require') && { rejectUnauthorized: false }),
  })
}

const securityRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
// Beyond that nobody is there.
const patience = 5000

async function isGranted(socket: Socket): Promise<boolean> {
  const failed = (code: string) => Object.assign(new Error('no connection to the database is made'), { code })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(failed('CONNECT_TIMEOUT')), patience)
      socket.once('connect', () => socket.write(securityRequest))
      socket.once('error', reject)
      socket.once('close', () => reject(failed('ECONNRESET')))
      socket.once('data', ([answer]) => resolve(answer === 'S'.charCodeAt(0)))
    })
  } finally {
    clearTimeout(timer)
    for (const event of ['connect', 'error', 'close', 'data']) socket.removeAllListeners(event)
  }
}
