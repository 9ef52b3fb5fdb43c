import { readFileSync } from 'node:fs'
import lookUpTimeZone from '@photostructure/tz-lookup'
import { expect, test } from 'vitest'
import { offsetAt } from '../../src/domain/dates/local-time.js'
import { airports } from '../../src/geography/airports.js'
import { findCity } from '../../src/geography/cities.js'
import { findPlace } from '../../src/geography/places.js'
import {
  greatCircle,
  greatCircleKm,
  measured,
  type Point,
  positionAlong,
  splitAlong,
  unwrapped,
} from '../../src/geography/point.js'
import { findSeaPort, seaPortCodes, seaPorts } from '../../src/geography/ports.js'
import { seaPath, seaRoute, voyage } from '../../src/geography/sea-route.js'
import { seaTrack } from '../../src/geography/sea-track.js'
import { railTerminals, roadPlaces } from '../../src/geography/terminals.js'
import { cities } from '../../src/sandbox/cities.js'
import { inlandPoints, isDeepInland } from '../support/land-mask.js'

// The lookup by coordinates is coarse: it returns the country across the bay or the border for these.
const acrossBorder = new Set(['AS/PPG', 'BH/BAH', 'DO/MAN', 'FI/TOR', 'ID/DJJ', 'MA/PTM', 'MY/TPP', 'PA/AML'])

const { ports } = JSON.parse(readFileSync('src/geography/data/ports.json', 'utf8')) as { ports: object }
const known = Object.keys(ports)

test('every port of ports.json is found by its code, with a name, coordinates and the right time zone', () => {
  expect(known.length).toBeGreaterThan(1600)
  for (const key of known) {
    const code = `${key.slice(0, 2)}/${key.slice(2)}`
    const place = findPlace(code, 'sea')
    expect(place, code).toMatchObject({ code, country: key.slice(0, 2) })
    expect(findPlace(key.toLowerCase(), 'sea'), code).toEqual(place)
    expect(place?.city, code).toMatch(/\p{Letter}{2}/u)
    const [longitude = 999, latitude = 999] = place?.coordinates ?? []
    expect(Math.abs(longitude), code).toBeLessThanOrEqual(180)
    expect(Math.abs(latitude), code).toBeLessThanOrEqual(90)
    const there = lookUpTimeZone(latitude, longitude)
    if (there.startsWith('Etc/') || acrossBorder.has(code)) continue
    for (const instant of [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)]) {
      expect(offsetAt(instant, place?.timeZone ?? ''), `${code} ${place?.timeZone}`).toBe(offsetAt(instant, there))
    }
  }
})

test('a code is the place for the mode of transport, or else any place with this code', () => {
  const [port, airport] = [findPlace('SG/SIN', 'sea'), findPlace('SG/SIN', 'air')]
  expect(airport?.city).toBe('Singapore Changi')
  expect(greatCircleKm(port!.coordinates, airport!.coordinates)).toBeGreaterThan(10)
  expect(findPlace('DE/HAM', 'rail')?.coordinates).not.toEqual(findPlace('DE/HAM', 'sea')?.coordinates)
  expect(findPlace('CN/PVG', 'sea')?.city).toBe('Shanghai Pudong')
  for (const nowhere of ['', 'CN', 'XX/XXX', 'CN/SHAX', '../..']) expect(findPlace(nowhere, 'sea')).toBeUndefined()
})

test('the time zone of a terminal, an airport or a road hub is one of its country', () => {
  // Newer versions of V8 use the other name.
  type Zoned = { timeZones?: string[]; getTimeZones?(): string[] }
  for (const { code, country, timeZone } of [...railTerminals.values(), ...roadPlaces.values(), ...airports.values()]) {
    const locale = new Intl.Locale(`und-${country}`) as Zoned
    const clocks = locale.getTimeZones?.() ?? locale.timeZones ?? []
    for (const instant of [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)]) {
      const offsets = clocks.map((clock) => offsetAt(instant, clock))
      expect(offsets, `${code} ${timeZone}`).toContain(offsetAt(instant, timeZone))
    }
  }
  expect(findPlace('PL/MLW', 'rail')?.timeZone).toBe('Europe/Warsaw')
})

test('cities are found in their country in any spelling', () => {
  for (const { country, name } of cities) {
    const city = findCity(country, name)
    expect(city, name).toBeDefined()
    const port = seaPorts.get(cities.find((each) => each.name === name)!.seaPort)!
    expect(greatCircleKm(city!.coordinates, port.coordinates), name).toBeLessThan(2500)
  }
  const munich = findCity('DE', 'München')
  for (const name of ['MUNCHEN', 'munich', 'Muenchen', ' München ']) expect(findCity('DE', name)).toEqual(munich)
  expect(findCity('PL', 'Lodz')).toEqual(findCity('PL', 'Łódź'))
  expect(findCity('CN', "Xi'an")).toEqual(findCity('CN', 'Xi’an'))
  expect(findCity('US', 'Birmingham')).not.toEqual(findCity('GB', 'Birmingham'))
  expect(findCity('DE', 'Nirgendwo')).toBeUndefined()
})

test('no sea route between major ports crosses land', () => {
  const codes = [...seaPorts.keys()]
  codes.forEach((from, index) => {
    for (const to of [codes[(index + 37) % codes.length]!, codes[(index + 71) % codes.length]!]) {
      const way = seaRoute(from, to).points
      expect(inlandPoints(way.slice(1, -1), 25), `${from} ${to}`).toEqual([])
    }
  })
})

test('every coastal port has a sea route without crossing land, and no inland port has one', () => {
  const singapore = findSeaPort('SG/SIN')!
  let reached = 0
  for (const code of seaPortCodes()) {
    const port = findSeaPort(code)!
    const way = voyage(port, singapore)
    if (way) reached += 1
    // Ports on a river, or just behind the coast, are connected to it.
    if (!isDeepInland(port.coordinates, 15)) expect(inlandPoints(way ?? [], 40), code).toEqual([])
  }
  expect(reached / seaPortCodes().length).toBeGreaterThan(0.9)
  for (const inland of ['US/CBF', 'US/RNO', 'CN/CKG', 'CH/BSL']) {
    const place = findPlace(inland, 'sea')
    expect(place && voyage(place, singapore), inland).toBeUndefined()
  }
})

test('the route between two points equals that of the ports at these points', () => {
  for (const [from, to] of [
    ['CN/SHA', 'NL/RTM'],
    ['US/LAX', 'JP/YOK'],
    ['NZ/AKL', 'PA/BLB'],
  ] as const) {
    const way = seaPath(seaPorts.get(from)!.coordinates, seaPorts.get(to)!.coordinates)
    expect(way).toEqual(seaRoute(from, to).points)
  }
})

test('a track contains every report, and follows the lanes between them around land', () => {
  const route = seaRoute('CN/SHA', 'NL/RTM')
  const reports = Array.from({ length: 15 }, (_, index) => positionAlong(route, index / 14))
  const track = seaTrack(reports)
  for (const report of reports) expect(track).toContainEqual(report)
  expect(inlandPoints(reports.slice(1, -1), 25).length).toBeGreaterThan(0)
  expect(inlandPoints(track.slice(3, -3), 25)).toEqual([])
  expect(measured(track).lengthKm / route.lengthKm).toBeCloseTo(1, 1)
})

test('the track of a ship parallel to its lane does not jump to the lane and back', () => {
  const route = seaRoute('SG/SIN', 'LK/CMB')
  const reports = [0.5, 0.7, 0.9].map((part): Point => {
    const [longitude, latitude] = positionAlong(route, part)
    return [longitude, latitude + 0.3]
  })
  const lane = seaPath(reports[0]!, reports[1]!)!
  expect(measured(seaTrack(reports.slice(0, 2))).lengthKm).toBeLessThan(measured(lane).lengthKm - 30)
  // Without a lane nearby it is a straight line.
  const far: Point[] = [
    [60, -20],
    [65, -22],
  ]
  expect(seaTrack(far)).toEqual(far)
})

test('a track to a port leaves the lane by the approach of the port', () => {
  const [colombo, guayaquil] = [findSeaPort('LK/CMB')!, findSeaPort('EC/GYE')!]
  const intoColombo = seaTrack([[81.034, 5.8519], colombo.coordinates], [colombo])
  expect(inlandPoints(intoColombo, 25)).toEqual([])
  expect(inlandPoints(seaTrack([[81.034, 5.8519], colombo.coordinates]), 25)).not.toEqual([])
  const fromGuayaquil = seaTrack([guayaquil.coordinates, [-81.5, -1]], [guayaquil])
  expect(fromGuayaquil).toContainEqual(guayaquil.approach?.[0])
})

test('lines are split at a fraction of their length, and continue beyond 180 degrees', () => {
  const flight = greatCircle([140, 36], [-118, 34])
  expect(flight.length).toBeGreaterThan(20)
  expect(measured(flight).lengthKm).toBeCloseTo(greatCircleKm([140, 36], [-118, 34]), 0)
  const whole = measured(flight)
  const [before, after] = splitAlong(whole, 0.4)
  expect(before.at(-1)).toEqual(after[0])
  expect(measured(before).lengthKm / whole.lengthKm).toBeCloseTo(0.4, 2)
  expect(measured(before).lengthKm + measured(after).lengthKm).toBeCloseTo(whole.lengthKm, 0)

  const drawn = unwrapped(flight)
  expect(drawn[0]).toEqual([140, 36])
  expect(drawn.at(-1)).toEqual([242, 34])
  drawn.forEach(([longitude], index) => {
    if (index > 0) expect(Math.abs(longitude - drawn[index - 1]![0])).toBeLessThan(20)
  })
})
