import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type DatabaseServer, openDatabaseServer } from '../../bench/database-server.js'
import { findLoadGenerator } from '../../bench/load/generator.js'
import { measureRates, type RatesOptions } from '../../bench/rates.js'
import { workloadNamed } from '../../bench/workloads.js'

/** The benchmark itself, with very little data: the built program beside the floor. */

// Three servers are started for each.
const patient = { timeout: 120_000 }
const path = process.env.PATH
let folder: string
let server: DatabaseServer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-bench-test-'))
  await mkdir(join(folder, 'requests'))
  server = await openDatabaseServer(join(folder, 'data'))
})

afterEach(() => {
  process.env.PATH = path
  vi.restoreAllMocks()
})

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

async function measureWith(searchPath: string) {
  process.env.PATH = searchPath
  const generator = await findLoadGenerator()
  process.env.PATH = [searchPath, path].filter(Boolean).join(':')
  const printed: string[] = []
  for (const method of ['log', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((text: string) => void printed.push(text))
  }
  const names = ['list of 10', '304']
  const options: RatesOptions = {
    isQuick: true,
    size: { accounts: 3, shipments: 60, large: 30, largeOrders: 5, orders: 5, patterns: 5 },
    rounds: 1,
    seconds: 1,
    connections: 4,
    wanted: { comparisons: [], twoProcesses: false },
    workloads: names.map((name) => ({ ...workloadNamed(name), queries: 20 })),
    namedWorkloads: names,
    write: false,
  }
  const bench = { server, generator, folder: join(folder, 'requests'), seconds: 1, warmUpSeconds: 1, mostSeconds: 1 }
  const code = await measureRates(options, { ...bench, connections: 4 })
  return { code, generator: generator.name, printed: printed.join('\n') }
}

test(
  'on a machine without wrk the benchmark measures its targets with autocannon and exits with 0',
  patient,
  async () => {
    const { code, generator, printed } = await measureWith('')
    expect(generator).toMatch(/^autocannon/)
    expect(printed).toContain(`| Load generator | ${generator}, on the same machine |`)
    expect(printed).toMatch(/^\| 304 \| 85% of the floor for the full response \| \d+% \|/m)
    expect(printed).not.toContain('NOT MEASURED')
    expect(code).toBe(0)
  },
)

test(
  'a benchmark whose load generator fails names every target that it could not measure and exits with 1',
  patient,
  async () => {
    const bin = join(folder, 'bin')
    await mkdir(bin)
    await writeFile(join(bin, 'wrk'), '#!/bin/sh\n[ "$1" = --version ] && echo "wrk 4.2.0 [epoll]"\nexit 1\n')
    await chmod(join(bin, 'wrk'), 0o755)
    const { code, generator, printed } = await measureWith(bin)
    expect(generator).toBe('wrk 4.2.0')
    expect(printed).toContain('NOT MEASURED: 304 (target: 85% of the floor for the full response)')
    expect(printed).toContain('NOT MEASURED: list of 10, warm (target: 60% of the floor)')
    expect(printed).toMatch(/^FAILED: Waybill, 304: Command failed: wrk /m)
    expect(code).toBe(1)
  },
)
