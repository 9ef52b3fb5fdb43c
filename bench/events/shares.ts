import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { program } from '../waybill-program.js'

/** Which part of the work a CPU profile of the built program spent its time in. */

const parts: [part: string, sources: RegExp][] = [
  ['read the message', /domain\/messages\/(dcsa|event-time|own-events|incoming-event)/],
  ['match it', /domain\/messages\/(matching|references|event-step)|store\/shipment-references/],
  [
    'apply and derive',
    /domain\/(tracking|shipments)|ledger\/(derive|whole-tracking)|usecases\/(messages\/(apply-events|event-plan)|tracking)/,
  ],
  ['receive and store it', /usecases\/messages|store\/messages|^api\//],
  ['write', /^(ledger|database|store)\//],
]

type Frame = { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] }
type Profile = { nodes: Frame[]; samples: number[]; timeDeltas: number[] }

/** Shares of the busy time, the largest first. Each sample counts for the innermost function of a known part. */
export function sharesIn(profile: Profile): [part: string, share: number][] {
  const frames = new Map(profile.nodes.map((frame) => [frame.id, frame]))
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  )
  const spent = new Map<string, number>()
  profile.samples.forEach((sample, index) => {
    if (frames.get(sample)?.callFrame.functionName === '(idle)') return
    const part = partOf(sample, frames, parents)
    spent.set(part, (spent.get(part) ?? 0) + (profile.timeDeltas[index] ?? 0))
  })
  const all = [...spent.values()].reduce((sum, each) => sum + each, 0)
  return [...spent]
    .map(([part, time]): [string, number] => [part, time / all])
    .toSorted(([, one], [, other]) => other - one)
}

function partOf(sample: number, frames: Map<number, Frame>, parents: Map<number, number>): string {
  for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) {
    const { url, lineNumber } = frames.get(id)!.callFrame
    const source = sourceAt(url, lineNumber)
    const [part] = (source !== undefined && parts.find(([, sources]) => sources.test(source))) || []
    if (part !== undefined) return part
  }
  return 'everything else'
}

type Section = { line: number; source: string }

/** The sources of each built file, from the comments that the build leaves. */
const sections = new Map<string, Section[]>()
const chunks = join(dirname(dirname(program)), 'chunks')
for (const file of readdirSync(chunks).filter((name) => name.endsWith('.js'))) {
  const lines = readFileSync(join(chunks, file), 'utf8').split('\n')
  sections.set(
    file,
    lines.flatMap((text, line) => {
      const source = /^\/\/ (?:#region )?src\/(.*)$/.exec(text)?.[1]
      return source === undefined ? [] : [{ line, source }]
    }),
  )
}

function sourceAt(url: string, line: number): string | undefined {
  return sections.get(basename(url))?.findLast((section) => section.line <= line)?.source
}
