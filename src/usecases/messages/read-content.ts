import { readDcsa } from '../../domain/messages/dcsa.js'
import type { CodeMapping, EdiContext } from '../../domain/messages/edi/edi-context.js'
import { readEdifactEvents, readX12Events } from '../../domain/messages/edi/read-edi.js'
import type { ReadMessage } from '../../domain/messages/incoming-event.js'
import { readOwnEvents } from '../../domain/messages/own-events.js'
import { findCity } from '../../geography/cities.js'
import { findCountryZone, findPlace } from '../../geography/places.js'
import type { PendingMessage } from '../../store/messages.js'

/** Reads a message by its format. `mappings`: what the codes of its sender mean, by format and code. */
export function readContent(
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
