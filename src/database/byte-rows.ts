import type { EventEmitter } from 'node:events'
import type { Readable } from 'node:stream'
import type pg from 'pg'
import { Parser } from 'pg-protocol/dist/parser.js'

/**
 * Rows whose texts are bytes, for bodies that are sent as they are stored. The driver decodes every value as UTF-8, and what is sent
 * has to be encoded again: half of the process's time for a page of 100 bodies (docs/decisions/2026-11-19-targets-of-speed.md).
 * Read as Latin-1, where each byte is a character, a text only has to be copied.
 */

type Connection = EventEmitter & { attachListeners(stream: Readable): void }
type Reading = { reader: { encoding: 'utf-8' | 'latin1' } }

const readings = new WeakMap<pg.ClientBase, () => Reading>()

/** Lets a client that is not connected yet read bytes: its parser of messages is one whose encoding can be set. */
export function enableByteRows<Client extends pg.ClientBase>(client: Client): Client {
  const { connection } = client as unknown as { connection: Connection }
  let reading: Reading
  connection.attachListeners = (stream) => {
    const parser = new Parser()
    const { reader } = (reading = parser as unknown as Reading)
    stream.on('data', (chunk: Buffer) => {
      parser.parse(chunk, (message) => {
        // The description of rows, which comes before them, sets it again where they are asked for as bytes.
        if (message.name !== 'dataRow') reader.encoding = 'utf-8'
        connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message)
      })
    })
  }
  readings.set(client, () => reading)
  return client
}

const textType = 25

/** The types of a query on such a client: bytes for texts, unparsed text for others. Called by the driver for each described column. */
export function byteTypes(client: pg.ClientBase): pg.CustomTypesConfig {
  const reading = readings.get(client)
  if (!reading) throw new Error('the connection cannot read bytes')
  return {
    getTypeParser(type: number) {
      reading().reader.encoding = 'latin1'
      return type === textType ? bytesOf : (text: string) => text
    },
  }
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}
