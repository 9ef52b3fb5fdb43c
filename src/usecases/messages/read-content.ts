import type { TransactionSql } from '../../database/database.js'
import { readDcsa } from '../../domain/messages/dcsa.js'
import type { CodeMapping, EdiContext } from '../../domain/messages/edi/edi-context.js'
import { readEdifactEvents, readX12Events } from '../../domain/messages/edi/read-edi.js'
import type { ReadMessage } from '../../domain/messages/incoming-event.js'
import { readOwnEvents } from '../../domain/messages/own-events.js'
import { readTableEvents } from '../../domain/messages/table/table-events.js'
import { findCity } from '../../geography/cities.js'
import { findCountryZone, findPlace, findZoneOfName } from '../../geography/places.js'
import { type ReadTable, readTable } from '../../spreadsheet/table-process.js'
import type { PendingMessage } from '../../store/messages.js'
import { findCodeMappings } from '../../store/sender-codes.js'
import { findColumns } from '../../store/sender-columns.js'

/** Reads a stored message. `table`: its sheets, where it is a table and they were read before. */
export async function readMessage(
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
function readContent(
  { format, content }: Pick<PendingMessage, 'format' | 'content'>,
  mappings: Map<string, CodeMapping>,
): ReadMessage {
  if (format === 'iftsta') return readEdifactEvents(content, ediContext(mappings))
  if (format === 'x12') return readX12Events(content, ediContext(mappings))
  let json: unknown
  try {
    json = JSON.parse(utf8.decode(content))
  } catch {
    return { fault: 'is not valid JSON in UTF-8' }
  }
  return format === 'dcsa' ? readDcsa(json, zoneOf) : readOwnEvents(json)
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
