import { groupedBy } from '../src/domain/records/grouping.js'
import type { Growth, Results } from './results.js'
import { figure, grouped, growthRowsOf, rowsOf } from './summary.js'

/** Plain SVG, which both light and dark pages can show. */

const width = 760
const style = `<style>
text { font: 13px system-ui, sans-serif; fill: #24292f }
.title { font-size: 15px; font-weight: 600 } .quiet { fill: #59636e } .right { text-anchor: end } .middle { text-anchor: middle }
.grid { stroke: #d1d9e0 } .whisker { stroke: #24292f; stroke-width: 1.5 }
.kysely { fill: #8b98a5 } .waybill { fill: #0e7c86 } .floor { fill: #c9a227 }
.line { fill: none; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .quiet { fill: #9198a1 } .grid { stroke: #3d444d } .whisker { stroke: #e6edf3 }
.kysely { fill: #6e7b88 } .waybill { fill: #2fa3ae } .floor { fill: #d4b13d } }
</style>`

function svgOf(title: string, height: number, parts: string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
${style}
${parts.join('\n')}
</svg>
`
}

const shownServers = ['floor', 'Waybill', 'Kysely']

/** Requests per second by workload, on a logarithmic scale: a bar for each server. */
export function ratesPlot(results: Results): string {
  const title = 'Requests per second'
  const rows = rowsOf(results).filter(({ server }) => shownServers.includes(server))
  const from = Math.floor(Math.log10(Math.min(...rows.map(({ rate }) => rate.least))))
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(...rows.map(({ rate }) => rate.most)))))
  const left = 330
  const x = (value: number) => left + ((Math.log10(Math.max(value, 10 ** from)) - from) / (to - from)) * 350

  const parts = [text(12, 24, title, 'title')]
  for (const [index, server] of shownServers.entries()) {
    const place = left + index * 100
    parts.push(`<rect class="${server.toLowerCase()}" x="${place}" y="14" width="12" height="12" rx="2"/>`)
    parts.push(text(place + 18, 24, server, ''))
  }
  let y = 44
  for (const [name, group] of groupedBy(rows, ({ workload, cache }) => `${workload}, ${cache}`)) {
    parts.push(text(left - 8, y + group.length * 7 + 4, name, 'right'))
    for (const { server, rate } of group) {
      const [wide, least, most] = [x(rate.median) - left, x(rate.least), x(rate.most)].map((each) => each.toFixed(1))
      parts.push(
        `<rect class="${server.toLowerCase()}" x="${left}" y="${y}" width="${wide}" height="12" rx="2"/>`,
        `<line class="whisker" x1="${least}" x2="${most}" y1="${y + 6}" y2="${y + 6}"/>`,
        text(x(rate.most) + 8, y + 11, figure(rate.median), 'quiet'),
      )
      y += 14
    }
    y += 10
  }
  const grid = Array.from({ length: to - from + 1 }, (_, step) => {
    const value = 10 ** (from + step)
    return `<line class="grid" x1="${x(value)}" x2="${x(value)}" y1="40" y2="${y}"/>${text(x(value), y + 18, figure(value), 'quiet middle')}`
  })
  return svgOf(title, y + 30, [...grid, ...parts])
}

const lineColours = ['#0e7c86', '#c9a227', '#b4436c', '#5b8def', '#7a8b3c', '#9467bd']

/** CPU time of server and database for a request, by the number of shipments. */
export function growthPlot({ measurements }: Growth): string {
  const rows = growthRowsOf(measurements)
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
  return svgOf(title, 356, parts)
}

function text(x: number, y: number, content: string, look: string): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}"${look ? ` class="${look}"` : ''}>${escaped(content)}</text>`
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
