import { describe, expect, test } from 'vitest'
import type { ImportLine } from '../../src/contract/import-line.js'
import { demoLines } from '../../src/sandbox/demo.js'
import { printSpecimen } from '../../src/sandbox/document-pdf.js'
import { generateLines } from '../../src/sandbox/generate.js'
import { linesOf } from './consistency.js'
import {
  contradictedDates,
  implausibleTransits,
  missingDocuments,
  occurrences,
  shipsInTwoPlaces,
  shipsOnTwoVoyages,
  trackedIn,
  transits,
  wrongDirections,
  wrongPayments,
} from './realism.js'

/** Generated data is as people of the trade know it. */

const today = '2026-03-10'
const now = Date.parse(`${today}T00:00:00Z`)
const demo: ImportLine[] = []
for await (const line of demoLines(today)) demo.push(line)
const specimen = await printSpecimen()

describe.each([
  ['the demo', demo],
  ...['a', 'b', 'c'].map((seed): [string, ImportLine[]] => [
    `seed ${seed}`,
    [...generateLines({ accounts: 10, shipments: 100, seed, today, specimen })],
  ]),
])('%s', (_, lines) => {
  const all = trackedIn(lines)

  test('a ship is in one place and on one voyage at a time', () => {
    expect(shipsInTwoPlaces(all)).toEqual([])
    expect(shipsOnTwoVoyages(all)).toEqual([])
  })

  test('voyages have directions that fit, and transits take as long as they do', () => {
    expect(wrongDirections(all)).toEqual([])
    expect(implausibleTransits(all)).toEqual([])
    expect(transits(all).some(({ limits }) => limits !== undefined)).toBe(true)
  })

  test('no date that a shipment shows is contradicted by its tracking', () => {
    expect(contradictedDates(all, now)).toEqual([])
  })

  test('every event has a code, a source and a time of issue, which is not in the future', () => {
    const events = all.flatMap((tracked) => tracked.events)
    const wrong = events.filter(
      ({ code, source, issued_at, status, at }) =>
        code === undefined ||
        !source ||
        !(Date.parse(issued_at!) <= now) ||
        (status === 'actual' && Date.parse(issued_at!) < at),
    )
    expect(wrong.slice(0, 3)).toEqual([])
  })

  test('finished shipments have their proof of delivery, dangerous ones their declaration', () => {
    expect(missingDocuments(lines)).toEqual([])
  })

  test('invoices are paid as far as their payments say', () => {
    expect(wrongPayments(lines)).toEqual([])
    expect(linesOf(lines, 'invoice').some(({ data }) => data.status === 'partially_paid')).toBe(true)
  })

  test.each(Object.entries(occurrences))('has a %s', (_name, occurred) => {
    expect(all.filter(occurred).length).toBeGreaterThan(0)
  })
})

test('ships are in one place at a time over all seeds: the schedule is the same for all', () => {
  const lines = ['d', 'e', 'f'].flatMap((seed) => [...generateLines({ accounts: 8, shipments: 60, seed, today })])
  expect(shipsInTwoPlaces(trackedIn(lines))).toEqual([])
  expect(shipsOnTwoVoyages(trackedIn(lines))).toEqual([])
})
