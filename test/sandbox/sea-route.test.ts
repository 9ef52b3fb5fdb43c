import lookUpTimeZone from '@photostructure/tz-lookup'
import { expect, test } from 'vitest'
import { localDateWithTime, offsetAt } from '../../src/domain/dates/local-time.js'
import { airports } from '../../src/geography/airports.js'
import { greatCircleKm, positionAlong } from '../../src/geography/point.js'
import { seaPort, seaPorts } from '../../src/geography/ports.js'
import { seaNetwork } from '../../src/geography/sea-network.js'
import { seaRoute } from '../../src/geography/sea-route.js'
import { railTerminals, roadPlaces } from '../../src/geography/terminals.js'
import { cities } from '../../src/sandbox/cities.js'

test.each([
  ['CN/SHA', 'NL/RTM', 19_500],
  ['US/LAX', 'JP/YOK', 9000],
  ['BR/SSZ', 'FR/LEH', 10_200],
  ['SG/SIN', 'NL/RTM', 15_400],
  ['US/NYC', 'NL/RTM', 6200],
  ['AU/SYD', 'US/LAX', 12_000],
])('%s to %s is about %i km by sea', (from, to, km) => {
  expect(seaRoute(from, to).lengthKm / km).toBeGreaterThan(0.92)
  expect(seaRoute(from, to).lengthKm / km).toBeLessThan(1.08)
})

test('Shanghai to Rotterdam goes through Suez, and never through the Arctic', () => {
  const { points } = seaRoute('CN/SHA', 'NL/RTM')
  expect(points.some((point) => greatCircleKm(point, [32.4, 30.5]) < 100)).toBe(true)
  for (const to of seaPorts.keys()) {
    if (to === 'JP/YOK') continue
    expect(Math.max(...seaRoute('JP/YOK', to).points.map(([, latitude]) => latitude)), to).toBeLessThan(68)
  }
})

test('the route from Los Angeles to Yokohama crosses the antimeridian without a jump', () => {
  const route = seaRoute('US/LAX', 'JP/YOK')
  const positions = Array.from({ length: 101 }, (_, percent) => positionAlong(route, percent / 100))
  expect(positions.some(([longitude]) => longitude > 170)).toBe(true)
  expect(positions.some(([longitude]) => longitude < -170)).toBe(true)
  for (const [longitude] of positions) expect(Math.abs(longitude)).toBeLessThanOrEqual(180)
  for (let index = 1; index < positions.length; index++) {
    expect(greatCircleKm(positions[index - 1]!, positions[index]!)).toBeLessThan((route.lengthKm / 100) * 1.3)
  }
})

test('all inner points of a route are on the network, and neighbours are connected', () => {
  const { points, neighbours } = seaNetwork()
  const indexes = new Map(points.map((point, index) => [point.join(), index]))
  for (const [from, to] of [
    ['CN/SHA', 'NL/RTM'],
    ['US/LAX', 'JP/YOK'],
    ['NZ/AKL', 'PA/BLB'],
    ['ID/JKT', 'ZA/DUR'],
  ]) {
    const inner = seaRoute(from!, to!)
      .points.slice(2, -2)
      .map((point) => indexes.get(point.join()))
    expect(inner.length).toBeGreaterThan(5)
    inner.forEach((index, position) => {
      expect(index).toBeDefined()
      if (position > 0) expect(neighbours[inner[position - 1]!]!.map((neighbour) => neighbour.to)).toContain(index)
    })
  }
})

test('a route has the same length in both directions, and starts and ends at its ports', () => {
  for (const [from, to] of [
    ['CN/SHA', 'NL/RTM'],
    ['BR/SSZ', 'KR/PUS'],
    ['US/SEA', 'FI/HEL'],
  ]) {
    const route = seaRoute(from!, to!)
    expect(route.lengthKm).toBeCloseTo(seaRoute(to!, from!).lengthKm, 3)
    expect(positionAlong(route, 0)).toEqual(seaPort(from!).coordinates)
    expect(positionAlong(route, 1)).toEqual(seaPort(to!).coordinates)
    expect(seaRoute(from!, to!)).toBe(route)
  }
})

test('every port is near the network, and is connected to every other', () => {
  const codes = [...seaPorts.keys()]
  expect(codes.length).toBeGreaterThanOrEqual(60)
  for (const code of codes) {
    const route = seaRoute(code, code === 'SG/SIN' ? 'NL/RTM' : 'SG/SIN')
    expect(route.kmAt[1], code).toBeLessThan(200)
    expect(route.lengthKm, code).toBeLessThan(26_000)
  }
})

test('the time zone of every place is that of its coordinates', () => {
  const places = [...seaPorts.values(), ...airports.values(), ...railTerminals.values(), ...roadPlaces.values()]
  for (const {
    code,
    coordinates: [longitude, latitude],
    timeZone,
  } of places) {
    // The lookup is coarse there: it returns the Spanish town across the bay for Tanger Med, and Brest for Małaszewicze.
    if (code === 'MA/PTM' || code === 'PL/MLW') continue
    const there = lookUpTimeZone(latitude, longitude)
    for (const instant of [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)]) {
      expect(offsetAt(instant, timeZone), `${code} ${timeZone}`).toBe(offsetAt(instant, there))
    }
  }
})

test('the port, airport and terminals of a city are known', () => {
  for (const city of cities) {
    expect(seaPorts.has(city.seaPort), city.name).toBe(true)
    expect(airports.has(city.airport), city.name).toBe(true)
    if (city.rail) expect(railTerminals.has(city.rail), city.name).toBe(true)
    if (city.road) expect(roadPlaces.has(city.road), city.name).toBe(true)
  }
})

test('a local time has the offset of its zone on that date', () => {
  expect(localDateWithTime(Date.UTC(2026, 2, 4, 2), 'Asia/Shanghai')).toBe('2026-03-04T10:00:00+08:00')
  expect(localDateWithTime(Date.UTC(2026, 0, 15, 12), 'America/New_York')).toBe('2026-01-15T07:00:00-05:00')
  expect(localDateWithTime(Date.UTC(2026, 6, 15, 12), 'America/New_York')).toBe('2026-07-15T08:00:00-04:00')
  expect(localDateWithTime(Date.UTC(2026, 2, 4, 20), 'Asia/Kolkata')).toBe('2026-03-05T01:30:00+05:30')
  // The hours before and after a switch to daylight saving time.
  expect(localDateWithTime(Date.UTC(2026, 2, 29, 0, 59), 'Europe/Paris')).toBe('2026-03-29T01:59:00+01:00')
  expect(localDateWithTime(Date.UTC(2026, 2, 29, 1, 0), 'Europe/Paris')).toBe('2026-03-29T03:00:00+02:00')
})
