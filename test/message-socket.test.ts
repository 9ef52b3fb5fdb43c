import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Messages } from '../src/storage/message-socket.js'

/** However the bytes of a connection come, they are handed on as whole messages, none of them changed. */

function messageOf(length: number, fill: number): Buffer {
  const message = Buffer.alloc(5 + length, fill)
  message.write('D', 'latin1')
  message.writeUInt32BE(4 + length, 1)
  return message
}

/** Puts so many bytes at a time where they are wanted, or as many as there is room for. */
function receive(messages: Messages, bytes: Buffer, portions: number[]): Buffer[] {
  const told: Buffer[] = []
  for (let sent = 0, turn = 0; sent < bytes.length; turn += 1) {
    const room = messages.room()
    expect(room.length).toBeGreaterThan(0)
    const portion = bytes.subarray(sent, sent + Math.min(room.length, portions[turn % portions.length] as number))
    portion.copy(room)
    sent += portion.length
    const whole = messages.received(portion.length)
    if (whole.length > 0) told.push(whole)
  }
  return told
}

/** What it consists of; it must end with the end of one. */
function lengthsOf(bytes: Buffer): number[] {
  const lengths: number[] = []
  let at = 0
  while (at < bytes.length) {
    const length = bytes.readUInt32BE(at + 1) - 4
    lengths.push(length)
    at += 5 + length
  }
  expect(at).toBe(bytes.length)
  return lengths
}

const lengths = fc.oneof(fc.nat(40), fc.nat(3000), fc.nat(300_000))
const portions = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 100_000 }))

test('whole messages are told, in their order, and stay as they are whatever comes later', () => {
  const property = fc.property(
    fc.array(lengths, { minLength: 1, maxLength: 12 }),
    fc.array(portions, { minLength: 1, maxLength: 8 }).filter((sizes) => Math.max(...sizes) > 2000),
    (wanted, sizes) => {
      const bytes = Buffer.concat(wanted.map((length, index) => messageOf(length, index + 1)))
      const told = receive(new Messages(), bytes, sizes)
      expect(told.flatMap(lengthsOf)).toEqual(wanted)
      expect(Buffer.concat(told).equals(bytes)).toBe(true)
    },
  )
  fc.assert(property, { numRuns: 200 })
})

test('a long message is received where it stays', () => {
  const messages = new Messages()
  const long = messageOf(10_000_000, 7)
  const [whole, ...others] = receive(messages, Buffer.concat([long, messageOf(20, 1)]), [64 * 1024])
  expect(others).toHaveLength(0)
  expect(whole?.buffer.byteLength).toBeLessThan(long.length + 64 * 1024)
})

test('what is no message is handed on as it comes', () => {
  const text = Buffer.from(`HTTP/1.1 400 Bad Request\r\n\r\n${'no database here '.repeat(20_000)}`)
  const told = receive(new Messages(), text, [10, 50_000])
  expect(Buffer.concat(told).equals(text)).toBe(true)
  expect(told.length).toBeGreaterThan(5)
})
