import { expect, test } from 'vitest'
import { ratesReport } from '../../bench/report.js'
import type { Measurement, Results } from '../../bench/results.js'
import { evaluateTargets } from '../../bench/targets.js'

function measurement(server: string, workload: string, rate: number, round = 1): Measurement {
  return {
    server,
    workload,
    cache: 'warm',
    round,
    rate,
    connections: 32,
    requests: rate,
    p50: 1,
    p99: 2,
    cpu: 0.1,
    databaseCpu: 0.1,
    queries: 1,
    memory: 1024 ** 2,
    generatorCores: 0.5,
  }
}

function results(given: Partial<Results>): Results {
  return {
    date: '2026-01-01T00:00:00Z',
    commit: 'abc',
    isQuick: true,
    machine: { processor: 'p', cores: 2, memory: 1, system: 's', node: 'n', postgres: '18' },
    generator: 'autocannon 8',
    connections: 32,
    rounds: 2,
    seconds: 1,
    data: { accounts: 1, shipments: 1, large: 1, largeOrders: 1, bytesOfShipment: 1 },
    servers: ['floor', 'Waybill'],
    workloads: ['304', 'list of 10'],
    measurements: [],
    skipped: [],
    ...given,
  }
}

test('a target is the ratio of the medians of two servers in one run', () => {
  const measurements = [
    measurement('floor', 'list of 10', 1000, 1),
    measurement('floor', 'list of 10', 3000, 2),
    measurement('Waybill', 'list of 10', 900, 1),
    measurement('Waybill', 'list of 10', 900, 2),
  ]
  const [warm] = evaluateTargets(results({ measurements, workloads: ['list of 10'] }))
  expect(warm).toMatchObject({ name: 'list of 10, warm', ratio: 0.45, rounds: [0.9, 0.3], isMet: false })
})

test('a target of which a side was not measured is not met, and the report states that', () => {
  const measurements = [measurement('floor', 'list of 10', 1000)]
  const found = evaluateTargets(results({ measurements })).find(({ name }) => name === '304')
  expect(found).toMatchObject({ ratio: undefined, isMet: false })
  expect(ratesReport(results({ measurements }))).toMatch(/^\| 304 \|.*\| \*\*not measured\*\* \|$/m)
})

test('a target of a server or a workload that was not asked for is left out', () => {
  const names = evaluateTargets(results({ workloads: ['list of 10'] })).map(({ name }) => name)
  expect(names).toEqual(['list of 10, warm', 'list of 10, cold'])
})

test('the report marks rates that the load generator limited', () => {
  const limited = { ...measurement('floor', 'list of 10', 1000), generatorCores: 0.97 }
  const report = ratesReport(results({ measurements: [limited, measurement('Waybill', 'list of 10', 900)] }))
  expect(report).toMatch(/^\| floor † \|/m)
  expect(report).toMatch(/^\| Waybill \|/m)
})
