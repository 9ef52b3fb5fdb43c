import { storableOf } from '../../contract/stored-text.js'
import type { TransactionSql } from '../../database/database.js'
import { dcsaItems, readDcsaEvent } from '../../domain/messages/dcsa.js'
import type { CodeMapping, EdiContext } from '../../domain/messages/edi/edi-context.js'
import { readEdifactEvents, readX12Events } from '../../domain/messages/edi/read-edi.js'
import type { ReadMessage } from '../../domain/messages/incoming-event.js'
import { ownItems, readOwnEvent } from '../../domain/messages/own-events.js'
import { readTableEvents } from '../../domain/messages/table/table-events.js'
import { findCity } from '../../geography/cities.js'
import { findZoneOfName } from '../../geography/place-names.js'
import { findCountryZone, findPlace } from '../../geography/places.js'
import { finishInSlices, mapInSlices } from '../../jobs/in-slices.js'
import { type ReadTable, readTable } from '../../spreadsheet/table-process.js'
import type { PendingMessage } from '../../store/messages.js'
import { findCodeMappings } from '../../store/sender-codes.js'
import { findColumns } from '../../store/sender-columns.js'

/** Reads a stored message. `table`: its sheets, where it is a table and they were read before. Whatever the sender wrote, the result can be stored. */
export async function readMessage(
  sql: TransactionSql,
  message: PendingMessage,
  table: ReadTable | undefined,
): Promise<ReadMessage> {
  const read = await readByFormat(sql, message, table)
  if ('fault' in read) return storableOf(read)
  // Texts may be quoted and shortened anywhere, also within a character.
  const { events, ...others } = read
  return { events: await mapInSlices(events, storableOf), ...storableOf(others) }
}

async function readByFormat(
  sql: TransactionSql,
  message: PendingMessage,
  table: ReadTable | undefined,
): Promise<ReadMessage> {
  const { format, sender, content, received_at } = message
  const hasCodes = format === 'iftsta' || format === 'x12' || format === 'table'
  const mappings = hasCodes ? await findCodeMappings(sql, sender) : new Map<string, CodeMapping>()
  if (format !== 'table') return readContent(message, mappings)
  const read = table ?? (await readTable(content, sender))
  if ('unreadable' in read) return { fault: read.unreadable }
  return readTableEvents(read.sheets, {
    settings: (await findColumns(sql, sender))?.settings ?? {},
    receivedAt: Date.parse(received_at),
    zoneOf,
    zoneOfName: findZoneOfName,
    isPlace: (unlocode) => findPlace(unlocode, 'sea') !== undefined,
    mappingOf: (text) => mappings.get(`table ${text}`),
  })
}

/** Reads a message by its format. `mappings`: what the codes of its sender mean, by format and code. */
async function readContent(
  { format, content }: Pick<PendingMessage, 'format' | 'content'>,
  mappings: Map<string, CodeMapping>,
): Promise<ReadMessage> {
  if (format === 'iftsta') return finishInSlices(readEdifactEvents(content, ediContext(mappings)))
  if (format === 'x12') return finishInSlices(readX12Events(content, ediContext(mappings)))
  let json: unknown
  try {
    json = JSON.parse(utf8.decode(content))
  } catch {
    return { fault: 'is not valid JSON in UTF-8' }
  }
  const found = format === 'dcsa' ? dcsaItems(json) : ownItems(json)
  if ('fault' in found) return found
  const read = (item: unknown) =>
    format === 'dcsa' ? readDcsaEvent(item, zoneOf) : readOwnEvent(item, { zoneOf, zoneOfName: findZoneOfName })
  return { events: await mapInSlices(found.items, read) }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function zoneOf(unlocode: string): string | undefined {
  return findPlace(unlocode, 'sea')?.timeZone
}

function ediContext(mappings: Map<string, CodeMapping>): EdiContext {
  return {
    zoneOf,
    zoneOfCountry: findCountryZone,
    cityOf(country, name) {
      const city = findCity(country.toUpperCase(), name)
      return city && { unlocode: city.code.replace('/', '') || undefined, timeZone: city.timeZone }
    },
    mappingOf: (format, code) => mappings.get(`${format} ${code}`),
  }
}
