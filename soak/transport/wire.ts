import { connect, type Socket } from 'node:net'

/** A connection as it is: what is sent on it nobody completes or corrects. */
export class Wire {
  readonly #socket: Socket
  #received = ''
  #isClosed = false
  readonly #watching = new Set<() => void>()
  /** Of all answers so far, in their order. */
  readonly statuses: number[] = []
  #looked = 0

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk) => this.#take(chunk))
    // How it ends is of no importance here, that it does is.
    socket.on('error', () => {})
    socket.once('close', () => {
      this.#isClosed = true
      this.#tell()
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

  /** False when there is no room left on the way, or nobody is there any more. */
  send(bytes: string | Buffer): boolean {
    if (this.#isClosed || !this.#socket.writable) return false
    return this.#socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  }

  /** Nothing more is sent from here; what comes is still taken. */
  end(): void {
    this.#socket.end()
  }

  reset(): void {
    this.#socket.resetAndDestroy()
  }

  /** Leaves what comes where it is. */
  stopReading(): void {
    this.#socket.pause()
  }

  /** Until it has ended, or there are so many answers; false when neither has come in time. */
  settled(patience: number, answers = Number.POSITIVE_INFINITY): Promise<boolean> {
    return new Promise((resolve) => {
      const late = setTimeout(() => finish(false), patience)
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
    // One may have come in part.
    this.#looked = Math.max(this.#looked, this.#received.length - 12)
    this.#tell()
  }

  #tell(): void {
    for (const look of this.#watching) look()
  }
}

const closing = 10_000

/** Many at once, a few hundred at a time: the machine's queue of those that wait to be let in is short. */
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
