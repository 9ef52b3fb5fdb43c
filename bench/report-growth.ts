import type { Growth, SlowClient } from './results.js'
import { figure, grouped, growthFactors, growthRowsOf, megabytes } from './summary.js'
import { mostMemory } from './targets.js'

/** The second part of `docs/performance.md`. */
export function growthReport({ date, commit, generator, connections, measurements, slowClient }: Growth): string {
  const rows = growthRowsOf(measurements)
  const lines = rows.map(
    ({ workload, spread, shipments, p50, cpu, memory }) =>
      `| ${workload} | ${spread} | ${grouped(shipments)} | ${figure(p50.median)} | ${figure(p50.least)} to ${figure(p50.most)} | ${figure(cpu.median)} | ${figure(cpu.least)} to ${figure(cpu.most)} | ${megabytes(memory)} |`,
  )
  const factors = growthFactors(rows).map(({ workload, spread, p50, cpu }) => {
    const isMet = cpu <= 1.5 && p50 <= 1.5
    return `| ${workload} | ${spread} | ${figure(p50)} | ${figure(cpu)} | ${isMet ? 'met' : '**not met**'} |`
  })
  return `## Growth

The same requests with 10,000 to 1,000,000 shipments in the database, spread over many accounts or all in one, without
the response cache, at ${connections} connections (${date.slice(0, 10)}, commit ${commit}, ${generator}). CPU is that of server and PostgreSQL
together, in seconds for 1,000 requests. From the smallest to the largest, neither latency nor CPU may grow by more than
1.5 times.

![CPU for a request by the number of shipments](performance/growth.svg)

| Request | Shipments in | p50, times | CPU, times | |
|---|---|--:|--:|---|
${factors.join('\n')}

| Request | Shipments in | Shipments | p50 ms | range | CPU | range | memory, MB |
|---|---|--:|--:|--:|--:|--:|--:|
${lines.join('\n')}

${slowClientReport(slowClient)}
`
}

function slowClientReport({ orders, bytes, seconds, before, peak }: SlowClient): string {
  const isMet = peak < mostMemory
  return `### A slow client

A list of ${grouped(orders)} orders (${megabytes(bytes)} MB), read at 1 MB per second for 20 s and then at full speed, ${figure(seconds)} s
in total: the server used ${megabytes(before)} MB before, and ${megabytes(peak)} MB at most. Less than ${megabytes(mostMemory)} MB: ${isMet ? 'met' : '**not met**'}.`
}
