/** What a CPU profile of V8 tells, as shares of the time and as a flame graph. */

export type CpuProfile = {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[]
  samples: number[]
  /** Microseconds since the sample before. */
  timeDeltas: number[]
}

const parts = [
  'Waybill',
  'database driver',
  'Node',
  'other packages',
  'native code',
  'garbage collection',
  'waiting',
] as const
export type Part = (typeof parts)[number]

type Flame = { name: string; part: Part; microseconds: number; children: Map<string, Flame> }

/** The last seconds of a profile, but for the very last, in which the server was told to stop. */
export function flamesOf({ nodes, samples, timeDeltas }: CpuProfile, seconds: number): Flame {
  const stacks = stacksOf(nodes)
  const whole = timeDeltas.reduce((sum, delta) => sum + delta, 0)
  const root: Flame = { name: 'all', part: 'Node', microseconds: 0, children: new Map() }
  let elapsed = 0
  for (const [index, id] of samples.entries()) {
    const delta = timeDeltas[index] ?? 0
    elapsed += delta
    const left = whole - elapsed
    if (left < 500_000 || left > (seconds + 0.5) * 1e6) continue
    root.microseconds += delta
    let flame = root
    for (const frame of stacks.get(id) ?? []) {
      const next = flame.children.get(frame.name) ?? { ...frame, microseconds: 0, children: new Map() }
      flame.children.set(frame.name, next)
      next.microseconds += delta
      flame = next
    }
  }
  return root
}

type Frame = Pick<Flame, 'name' | 'part'>

function stacksOf(nodes: CpuProfile['nodes']): Map<number, Frame[]> {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, frameOf(callFrame)]))
  return new Map(
    nodes.map(({ id }) => {
      const stack: Frame[] = []
      for (let at: number | undefined = id; at !== undefined && parents.has(at); at = parents.get(at)) {
        stack.unshift(frames.get(at) as Frame)
      }
      return [id, stack]
    }),
  )
}

const named = new Map<string, Frame>([
  ['(garbage collector)', { name: 'garbage collection', part: 'garbage collection' }],
  ['(idle)', { name: 'waiting', part: 'waiting' }],
  ['(program)', { name: 'native code', part: 'native code' }],
])

function frameOf({ functionName, url }: CpuProfile['nodes'][number]['callFrame']): Frame {
  return named.get(functionName) ?? { name: functionName || '(anonymous)', part: partOf(url) }
}

function partOf(url: string): Part {
  if (url.startsWith('node:')) return 'Node'
  if (url === '') return 'native code'
  if (url.includes('node_modules/postgres/')) return 'database driver'
  return url.includes('node_modules') ? 'other packages' : 'Waybill'
}

/** Of the time, by where it was spent itself. */
export function sharesOf(root: Flame): [Part, number][] {
  const sums = new Map<Part, number>()
  const add = (flame: Flame) => {
    const inside = [...flame.children.values()]
    const own = flame.microseconds - inside.reduce((sum, { microseconds }) => sum + microseconds, 0)
    sums.set(flame.part, (sums.get(flame.part) ?? 0) + own)
    inside.forEach(add)
  }
  add(root)
  return parts.map((part) => [part, (sums.get(part) ?? 0) / Math.max(1, root.microseconds)])
}

const width = 1000
const rowHeight = 17
const colours: Record<Part, string> = {
  Waybill: '#0e7c86',
  'database driver': '#7a5cc7',
  Node: '#8b98a5',
  'other packages': '#b08968',
  'native code': '#5b6b7a',
  'garbage collection': '#c0392b',
  waiting: '#d1d9e0',
}

/** Callers below what they call; as wide as the time that it took. What took less than a thousandth is left out. */
export function drawFlames(title: string, root: Flame): string {
  const boxes: { x: number; depth: number; flame: Flame }[] = []
  const place = (flame: Flame, x: number, depth: number) => {
    let from = x
    for (const child of [...flame.children.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      const wide = scaled(child, root)
      if (wide >= width / 1000) {
        boxes.push({ x: from, depth, flame: child })
        place(child, from, depth + 1)
      }
      from += wide
    }
  }
  place(root, 0, 0)
  const deepest = Math.max(0, ...boxes.map(({ depth }) => depth))
  const height = 60 + (deepest + 1) * rowHeight
  const legend = parts.map(
    (part, index) =>
      `<rect x="${index * 140}" y="30" width="10" height="10" fill="${colours[part]}"/><text x="${index * 140 + 14}" y="39" class="ink">${part}</text>`,
  )
  const drawn = boxes.map(({ x, depth, flame }) => box(x, height - (depth + 1) * rowHeight, flame, root))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<style>text { font: 11px system-ui, sans-serif; fill: #fff } .ink { fill: #24292f } .title { font-size: 14px; font-weight: 600 }
@media (prefers-color-scheme: dark) { .ink { fill: #e6edf3 } }</style>
<text x="0" y="16" class="ink title">${escaped(title)}</text>
${legend.join('\n')}
${drawn.join('\n')}
</svg>
`
}

function scaled({ microseconds }: Flame, root: Flame): number {
  return (microseconds / Math.max(1, root.microseconds)) * width
}

function box(x: number, y: number, flame: Flame, root: Flame): string {
  const wide = scaled(flame, root)
  const percent = ((flame.microseconds / root.microseconds) * 100).toFixed(1)
  const room = Math.floor(wide / 6.2)
  const label = flame.name.length <= room ? flame.name : room > 3 ? `${flame.name.slice(0, room - 1)}…` : ''
  const look = flame.part === 'waiting' ? ' class="ink"' : ''
  const text = label ? `<text x="${(x + 3).toFixed(1)}" y="${y + 12}"${look}>${escaped(label)}</text>` : ''
  return `<g><title>${escaped(flame.name)} (${flame.part}): ${percent}%</title><rect x="${x.toFixed(1)}" y="${y}" width="${Math.max(0.5, wide - 0.5).toFixed(1)}" height="${rowHeight - 1}" fill="${colours[flame.part]}"/>${text}</g>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
