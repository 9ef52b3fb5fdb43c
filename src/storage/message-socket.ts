import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net'

/** A connection that tells what it receives in whole messages of PostgreSQL's protocol; not yet connected. */
export function messageSocket(): Socket {
  const messages = new Messages()
  const onread: OnReadOpts = {
    buffer: () => messages.room(),
    callback(length) {
      const whole = messages.received(length)
      if (whole.length > 0) socket.emit('data', whole)
      return true
    },
  }
  // `connect` of `node:net` hands it over like this, too; it would connect at once.
  const options: SocketConstructorOpts & { onread: OnReadOpts } = { onread }
  const socket = new Socket(options)
  return socket
}

/**
 * What comes in, and where it goes. A long message is received where it stays: in pieces, each would take memory of its
 * own, and all of them once more to be put together; much of the time would go into collecting that again.
 */
export class Messages {
  #memory = Buffer.allocUnsafeSlow(usualBytes)
  /** Where the first message begins that is not whole. */
  #from = 0
  /** Up to where something has come. */
  #to = 0
  /** Of the message that begins there, if that is known. */
  #length: number | undefined
  #isReadable = true

  /** Where what comes next is to be put: no byte of it was ever handed out before. */
  room(): Buffer {
    const missing = this.#length === undefined ? 0 : this.#from + this.#length - this.#to
    if (this.#memory.length - this.#to < Math.max(missing, leastBytes)) this.#move()
    return this.#memory.subarray(this.#to)
  }

  /** The messages that have become whole by what was put there. */
  received(bytes: number): Buffer {
    const begin = this.#from
    this.#to += bytes
    this.#length = undefined
    while (this.#isReadable && this.#length === undefined && this.#to - this.#from >= headBytes) {
      const length = 1 + this.#memory.readUInt32BE(this.#from + 1)
      if (length <= this.#to - this.#from) this.#from += length
      else if (length <= longestMessage) this.#length = length
      else this.#isReadable = false
    }
    // Whoever speaks another language is for the driver to make out.
    if (!this.#isReadable) this.#from = this.#to
    return this.#memory.subarray(begin, this.#from)
  }

  #move(): void {
    const length = this.#length === undefined ? 0 : this.#length + endBytes
    const memory = Buffer.allocUnsafeSlow(Math.max(length, usualBytes))
    this.#to = this.#memory.copy(memory, 0, this.#from, this.#to)
    this.#from = 0
    this.#memory = memory
  }
}

const usualBytes = 64 * 1024
const leastBytes = 4 * 1024

/** Its kind, and how long the rest is. */
const headBytes = 5

// What an answer ends with comes along with its last row.
const endBytes = leastBytes + 512

// A field has at most a gibibyte.
const longestMessage = 1024 ** 3
