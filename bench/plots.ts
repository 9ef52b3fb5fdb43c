import { groupedBy } from '../src/domain/grouping.js'
import type { Results } from './results.js'
import { figure, type GrowthRow, grouped, growthRowsOf, type Row, rowsOf } from './summary.js'

/** Plain SVG: text stays text, and both light and dark pages can show it. */
export type Plot = { name: string; title: string; svg: string }

export function plotsOf(results: Results): Plot[] {
  const workloads = groupedBy(rowsOf(results), ({ workload }) => workload)
  const rates = [...workloads].map(([workload, rows]) => ratePlot(workload, rows))
  const growth = growthRowsOf(results.growth?.measurements ?? [])
  return [...rates, ...(growth.length > 0 ? [growthPlot(growth)] : [])]
}

const width = 760
const style = `<style>
text { font: 13px system-ui, sans-serif; fill: #24292f }
.title { font-size: 15px; font-weight: 600 } .quiet { fill: #59636e } .right { text-anchor: end } .middle { text-anchor: middle }
.grid { stroke: #d1d9e0 } .whisker { stroke: #24292f; stroke-width: 1.5 }
.bar { fill: #8b98a5 } .waybill { fill: #0e7c86 } .floor { fill: #c9a227 }
.line { fill: none; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .quiet { fill: #9198a1 } .grid { stroke: #3d444d } .whisker { stroke: #e6edf3 }
.bar { fill: #6e7b88 } .waybill { fill: #2fa3ae } .floor { fill: #d4b13d } }
</style>`

function svgOf(title: string, height: number, parts: string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
${style}
${parts.join('\n')}
</svg>
`
}

type Bar = { label: string; value: number; least: number; most: number; look: string }

/** Requests a second of everybody, warm above cold, on a scale where each step is ten times the one before. */
function ratePlot(workload: string, rows: Row[]): Plot {
  const title = `${workload}: requests a second`
  const lowest = Math.min(...rows.map(({ rate }) => rate.least))
  const highest = Math.max(...rows.map(({ rate }) => rate.most))
  const from = Math.floor(Math.log10(lowest))
  const to = Math.max(from + 1, Math.ceil(Math.log10(highest)))
  const x = (value: number) => 170 + ((Math.log10(Math.max(value, 10 ** from)) - from) / (to - from)) * 490

  const parts = [text(12, 24, title, 'title')]
  let y = 44
  for (const heat of ['warm', 'cold'] as const) {
    const some = rows.filter((row) => row.heat === heat)
    if (some.length === 0) continue
    parts.push(text(12, y + 12, heat, 'quiet'))
    y += 22
    for (const { contender, rate } of some) {
      const bar = { label: contender, value: rate.median, least: rate.least, most: rate.most, look: lookOf(contender) }
      parts.push(...drawBar(bar, x, y))
      y += 24
    }
    y += 8
  }
  const grid = Array.from({ length: to - from + 1 }, (_, step) => {
    const value = 10 ** (from + step)
    return `<line class="grid" x1="${x(value)}" x2="${x(value)}" y1="44" y2="${y}"/>${text(x(value), y + 18, figure(value), 'quiet middle')}`
  })
  return { name: fileNameOf(workload), title, svg: svgOf(title, y + 30, [...grid, ...parts]) }
}

function drawBar({ label, value, least, most, look }: Bar, x: (value: number) => number, y: number): string[] {
  const middle = y + 9
  return [
    text(162, y + 13, label, 'right'),
    `<rect class="${look}" x="170" y="${y}" width="${(x(value) - 170).toFixed(1)}" height="18" rx="2"/>`,
    `<line class="whisker" x1="${x(least).toFixed(1)}" x2="${x(most).toFixed(1)}" y1="${middle}" y2="${middle}"/>`,
    text(x(most) + 8, y + 13, figure(value), ''),
  ]
}

function lookOf(contender: string): string {
  if (contender.startsWith('Waybill')) return 'waybill'
  return contender === 'floor' || contender === 'bare INSERTs' ? 'floor' : 'bar'
}

const lineColours = ['#0e7c86', '#c9a227', '#b4436c', '#5b8def', '#7a8b3c', '#9467bd']

/** Processor time of server and database for a request, by the number of shipments. */
function growthPlot(rows: GrowthRow[]): Plot {
  const title = 'Growth: CPU milliseconds for a request, server and database'
  const sizes = [...new Set(rows.map(({ shipments }) => shipments))].toSorted((one, other) => one - other)
  const highest = Math.max(...rows.map(({ cpu }) => cpu.most)) * 1.1
  const x = (shipments: number) => 80 + (sizes.indexOf(shipments) / Math.max(1, sizes.length - 1)) * 360
  const y = (cpu: number) => 300 - (cpu / highest) * 240
  const parts = [text(12, 24, title, 'title')]
  for (const step of [0, 0.25, 0.5, 0.75, 1]) {
    const value = highest * step
    parts.push(`<line class="grid" x1="80" x2="440" y1="${y(value)}" y2="${y(value)}"/>`)
    parts.push(text(72, y(value) + 4, figure(value), 'quiet right'))
  }
  for (const size of sizes) parts.push(text(x(size), 322, grouped(size), 'quiet middle'))
  parts.push(text(260, 344, 'shipments in the database', 'quiet middle'))
  const series = groupedBy(rows, ({ spread, workload }) => `${workload}, ${spread}`)
  for (const [index, [name, points]] of [...series].entries()) {
    const colour = lineColours[index % lineColours.length]
    const sorted = points.toSorted((one, other) => one.shipments - other.shipments)
    const places = sorted.map(({ shipments, cpu }) => `${x(shipments).toFixed(1)},${y(cpu.median).toFixed(1)}`)
    parts.push(`<polyline class="line" stroke="${colour}" points="${places.join(' ')}"/>`)
    for (const place of places) {
      const [across, down] = place.split(',')
      parts.push(`<circle cx="${across}" cy="${down}" r="3.5" fill="${colour}"/>`)
    }
    const line = 66 + index * 22
    parts.push(`<line x1="470" x2="494" y1="${line}" y2="${line}" stroke="${colour}" stroke-width="2"/>`)
    parts.push(text(502, line + 4, name, ''))
  }
  return { name: 'growth', title, svg: svgOf(title, 356, parts) }
}

function text(x: number, y: number, content: string, look: string): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}"${look ? ` class="${look}"` : ''}>${escaped(content)}</text>`
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

export function fileNameOf(workload: string): string {
  return workload.replaceAll(/[^a-z0-9]+/gi, '-').replaceAll(/^-|-$/g, '')
}
