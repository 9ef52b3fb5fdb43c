import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { program } from './waybill-program.js'

/** Which part of the work a CPU profile of the built program spent its time in. */

/** Sources of each part, by their path in `src`: the first that matches counts. */
export type Parts = [part: string, sources: RegExp][]

type Frame = { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] }
type Profile = { nodes: Frame[]; samples: number[]; timeDeltas: number[] }

/** Prints the shares of each CPU profile in the folder, and the functions that took most time of their own. */
export async function printShares(folder: string, parts: Parts): Promise<void> {
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile'))) {
    const profile = JSON.parse(await readFile(join(folder, file), 'utf8')) as Profile
    for (const shares of [sharesIn(profile, parts), ownTimes(profile).slice(0, mostFunctions)])
      console.log(`${shares.map(([name, share]) => `${(share * 100).toFixed(1).padStart(5)}% ${name}`).join('\n')}\n`)
  }
}

const mostFunctions = 25

/** Shares of the busy time that functions take themselves, the largest first. */
function ownTimes({ nodes, samples, timeDeltas }: Profile): [name: string, share: number][] {
  const frames = new Map(nodes.map((frame) => [frame.id, frame]))
  const spent = new Map<string, number>()
  samples.forEach((sample, index) => {
    const { functionName, url } = frames.get(sample)!.callFrame
    if (functionName === '(idle)') return
    const name = `${functionName || 'anonymous'} ${url.replace(/^.*node_modules\/|^file:.*\/dist\//, '')}`
    spent.set(name, (spent.get(name) ?? 0) + (timeDeltas[index] ?? 0))
  })
  return inShares(spent)
}

function inShares(spent: Map<string, number>): [name: string, share: number][] {
  const all = [...spent.values()].reduce((sum, each) => sum + each, 0)
  return [...spent]
    .map(([name, time]): [string, number] => [name, time / all])
    .toSorted(([, one], [, other]) => other - one)
}

/** Shares of the busy time, the largest first. Each sample counts for the innermost function of a known part. */
function sharesIn(profile: Profile, parts: Parts): [part: string, share: number][] {
  const frames = new Map(profile.nodes.map((frame) => [frame.id, frame]))
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  )
  const spent = new Map<string, number>()
  profile.samples.forEach((sample, index) => {
    if (frames.get(sample)?.callFrame.functionName === '(idle)') return
    const part = partOf(sample, parts, { frames, parents })
    spent.set(part, (spent.get(part) ?? 0) + (profile.timeDeltas[index] ?? 0))
  })
  return inShares(spent)
}

type Calls = { frames: Map<number, Frame>; parents: Map<number, number> }

function partOf(sample: number, parts: Parts, { frames, parents }: Calls): string {
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
