import lookUpTimeZone from '@photostructure/tz-lookup'
import { readData } from './data-file.js'
import type { Point } from './point.js'
import { portApproaches } from './port-approaches.js'
import { portNames } from './port-names.js'
import { portOverrides } from './port-overrides.js'

/** A port, an airport, a rail terminal, a road hub or a city. */
export type Place = {
  code: string
  city: string
  country: string
  coordinates: Point
  timeZone: string
  /** Waypoints to the open sea, if the straight line to the nearest lane crosses land. */
  approach?: readonly Point[]
}

type PortEntry = { city: string; timeZone: string | undefined; coordinates: Point | undefined }

type PortFile = { ports: Record<string, [city: string, timeZone: string | null, ...coordinates: number[]]> }

const { ports: rows } = readData('ports.json') as PortFile

// Coordinates and time zones come from sea-ports, with our corrections.
function entryOf(code: string): PortEntry | undefined {
  const row = rows[code.replace('/', '')]
  if (!row) return undefined
  const [city, timeZone, longitude, latitude] = row
  const coordinates: Point | undefined =
    longitude === undefined || latitude === undefined ? undefined : [longitude, latitude]
  return { city, timeZone: timeZone ?? undefined, coordinates }
}

function readPorts(): Map<string, Place> {
  return new Map(
    Object.entries(portNames).map(([code, city]) => {
      const entry = entryOf(code)
      const override = portOverrides[code]
      const coordinates = override?.coordinates ?? entry?.coordinates
      const timeZone = override?.timeZone ?? entry?.timeZone
      if (!coordinates || !timeZone) throw new Error(`ports.json lacks ${code}: add it to port-overrides.ts`)
      return [code, { code, city, country: code.slice(0, 2), coordinates, timeZone }]
    }),
  )
}

/** The ports listed in `port-names.ts`. */
export const seaPorts: ReadonlyMap<string, Place> = readPorts()

export function seaPort(code: string): Place {
  const port = seaPorts.get(code)
  if (!port) throw new Error(`There is no port ${code}`)
  return port
}

/** Finds any known port. */
export function findSeaPort(code: string): Place | undefined {
  const port = seaPorts.get(code) ?? findOther(code)
  const approach = portApproaches[code]
  return port && approach ? { ...port, approach } : port
}

function findOther(code: string): Place | undefined {
  const entry = entryOf(code)
  const override = portOverrides[code]
  const coordinates = override?.coordinates ?? entry?.coordinates
  if (!entry || !coordinates) return undefined
  const timeZone = override?.timeZone ?? zoneAt(coordinates) ?? entry.timeZone ?? 'UTC'
  return { code, city: override?.city ?? entry.city, country: code.slice(0, 2), coordinates, timeZone }
}

export function seaPortCodes(): string[] {
  const others = Object.keys(rows).map((key) => `${key.slice(0, 2)}/${key.slice(2)}`)
  return [...new Set([...seaPorts.keys(), ...others])]
}

// The zones of sea-ports are often those of another place in the same country. At sea the zones are whole-hour offsets.
function zoneAt([longitude, latitude]: Point): string | undefined {
  const zone = lookUpTimeZone(latitude, longitude)
  return zone.startsWith('Etc/') ? undefined : zone
}
