import { createRequire } from 'node:module'
import lookUpTimeZone from '@photostructure/tz-lookup'
import type { Point } from './point.js'
import { portApproaches } from './port-approaches.js'
import { portNames } from './port-names.js'
import { portOverrides } from './port-overrides.js'

/** Where freight changes hands: a port, an airport, a rail terminal or a road hub; or a city. */
export type Place = {
  code: string
  city: string
  country: string
  coordinates: Point
  timeZone: string
  /** The points by which ships come out to sea, where they do not go straight to the nearest lane. */
  approach?: readonly Point[]
}

type PortEntry = { city: string; coordinates?: [number, number]; timezone?: string }

// Coordinates and zones are those of sea-ports, but for what it has wrong.
const entries = createRequire(import.meta.url)('sea-ports/lib/ports.json') as Record<string, PortEntry | undefined>

function readPorts(): Map<string, Place> {
  return new Map(
    Object.entries(portNames).map(([code, city]) => {
      const entry = entries[code.replace('/', '')]
      const override = portOverrides[code]
      const coordinates = override?.coordinates ?? entry?.coordinates
      const timeZone = override?.timeZone ?? entry?.timezone
      if (!coordinates || !timeZone) throw new Error(`sea-ports lacks ${code}: add it to port-overrides.ts`)
      return [code, { code, city, country: code.slice(0, 2), coordinates, timeZone }]
    }),
  )
}

/** Those that have a name of ours. */
export const seaPorts: ReadonlyMap<string, Place> = readPorts()

export function seaPort(code: string): Place {
  const port = seaPorts.get(code)
  if (!port) throw new Error(`There is no port ${code}`)
  return port
}

/** Any port there is, large or small. */
export function findSeaPort(code: string): Place | undefined {
  const port = seaPorts.get(code) ?? findOther(code)
  const approach = portApproaches[code]
  return port && approach ? { ...port, approach } : port
}

function findOther(code: string): Place | undefined {
  const entry = entries[code.replace('/', '')]
  const override = portOverrides[code]
  const coordinates = override?.coordinates ?? entry?.coordinates
  if (!entry || !coordinates) return undefined
  const timeZone = override?.timeZone ?? zoneAt(coordinates) ?? entry.timezone ?? 'UTC'
  return { code, city: override?.city ?? entry.city, country: code.slice(0, 2), coordinates, timeZone }
}

export function seaPortCodes(): string[] {
  const others = Object.keys(entries).map((key) => `${key.slice(0, 2)}/${key.slice(2)}`)
  return [...new Set([...seaPorts.keys(), ...others])]
}

// The zones of sea-ports are often those of another place in the same country. At sea there are only whole hours.
function zoneAt([longitude, latitude]: Point): string | undefined {
  const zone = lookUpTimeZone(latitude, longitude)
  return zone.startsWith('Etc/') ? undefined : zone
}
