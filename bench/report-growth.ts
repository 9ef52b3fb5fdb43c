import type { Growth, SlowClient } from './results.js'
import { figure, grouped, growthFactors, growthRowsOf, megabytes } from './summary.js'

/** The part of the report about growth and memory. */
export function growthReport({ date, commit, connections, measurements, slowClient }: Growth): string {
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

The same requests with more and more shipments in the database, spread over accounts or all in one; nothing kept in memory,
${connections} connections, measured in turns (${date.slice(0, 10)}, commit ${commit}). CPU is that of server and PostgreSQL together, in seconds for
1,000 requests, which is milliseconds for one. From the smallest to the largest, neither may grow by more than 1.5 times.

![CPU for a request by the number of shipments](performance/growth.svg)

| Request | Shipments are in | p50, times | CPU, times | |
|---|---|--:|--:|---|
${factors.join('\n')}

| Request | Shipments are in | Shipments | p50 ms | least to most | CPU | least to most | memory, MB |
|---|---|--:|--:|--:|--:|--:|--:|
${lines.join('\n')}${slowClient ? `\n\n${slowClientReport(slowClient)}` : ''}`
}

function slowClientReport({ orders, bytes, seconds, before, peak }: SlowClient): string {
  const isMet = peak < 400 * 1024 * 1024
  return `### A slow client

One account's list of ${grouped(orders)} orders (${megabytes(bytes)} MB), read at 1 MB a second for 20 s and then as fast as it comes, ${figure(seconds)} s in
all: the server held ${megabytes(before)} MB before, and ${megabytes(peak)} MB at most. Less than 400 MB: ${isMet ? 'met' : '**not met**'}.`
}
