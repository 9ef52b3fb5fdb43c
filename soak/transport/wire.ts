import { connect, type Socket } from 'node:net'

/** A raw connection: bytes are sent unchanged. */
export class Wire {
  readonly #socket: Socket
  #received = ''
  #isClosed = false
  readonly #watching = new Set<() => void>()
  /** The statuses of all responses so far, in order. */
  readonly statuses: number[] = []
  #looked = 0

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk) => this.#take(chunk))
    // Only the close event matters.
    socket.on('error', () => {})
    socket.once('close', () => {
      this.#isClosed = true
      this.#notify()
    })
  }

  static open(baseUrl: string): Promise<Wire> {
    const { hostname, port } = new URL(baseUrl)
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port) }, () => {
        socket.off('error', reject)
        resolve(new Wire(socket))
      })
      socket.once('error', reject)
    })
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  get received(): string {
    return this.#received
  }

  /** False if the buffer is full, or the connection is closed. */
  send(bytes: string | Buffer): boolean {
    if (this.#isClosed || !this.#socket.writable) return false
    return this.#socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  }

  /** Half-closes the connection. */
  end(): void {
    this.#socket.end()
  }

  reset(): void {
    this.#socket.resetAndDestroy()
  }

  /** Stops reading from the socket. */
  stopReading(): void {
    this.#socket.pause()
  }

  /** Waits until it is closed or has a number of responses; false after the timeout. */
  settled(timeout: number, answers = Number.POSITIVE_INFINITY): Promise<boolean> {
    return new Promise((resolve) => {
      const late = setTimeout(() => finish(false), timeout)
      const look = () => {
        if (this.#isClosed || this.statuses.length >= answers) finish(true)
      }
      const finish = (isSettled: boolean) => {
        clearTimeout(late)
        this.#watching.delete(look)
        resolve(isSettled)
      }
      this.#watching.add(look)
      look()
    })
  }

  #take(chunk: Buffer): void {
    this.#received += chunk.toString('latin1')
    const statusLine = /HTTP\/1\.1 (\d{3}) /g
    statusLine.lastIndex = this.#looked
    for (let found = statusLine.exec(this.#received); found; found = statusLine.exec(this.#received)) {
      this.statuses.push(Number(found[1]))
      this.#looked = found.index + found[0].length
    }
    // A status line may be incomplete.
    this.#looked = Math.max(this.#looked, this.#received.length - 12)
    this.#notify()
  }

  #notify(): void {
    for (const look of this.#watching) look()
  }
}

const closing = 10_000

/** Opens connections in batches: the accept queue of the system is short. */
export async function openMany(baseUrl: string, count: number): Promise<Wire[]> {
  const wires: Wire[] = []
  while (wires.length < count) {
    const some = Math.min(200, count - wires.length)
    wires.push(...(await Promise.all(Array.from({ length: some }, () => Wire.open(baseUrl)))))
  }
  return wires
}

export async function closeAll(wires: Wire[]): Promise<void> {
  for (const wire of wires) if (!wire.isClosed) wire.reset()
  await Promise.all(wires.map((wire) => wire.settled(closing)))
}
