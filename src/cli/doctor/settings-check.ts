import { BadSetting, readSettings, type Settings, settingNames } from '../settings.js'
import { type Finding, ok, warning, wrong } from './finding.js'

export type CheckedSettings = {
  settings: Settings
  /** Variables that were left aside: what depends on them was not looked at. */
  leftAside: Set<string>
  findings: Finding[]
}

const subject = 'settings'

/** Every bad setting, not only the first: each is told, left aside, and the rest is read again. */
export function checkSettings(environment: NodeJS.ProcessEnv): CheckedSettings {
  const left = { ...environment }
  const leftAside = new Set<string>()
  const findings = unknownIn(environment)
  for (;;) {
    try {
      const settings = readSettings(left)
      const known = settingNames().filter((name) => left[name])
      findings.push(...doubtsAbout(settings))
      if (findings.length === 0) findings.push(ok(subject, known.length === 0 ? 'all as they come' : known.join(', ')))
      return { settings, leftAside, findings }
    } catch (error) {
      if (!(error instanceof BadSetting)) throw error
      const set = error.variables.filter((name) => left[name])
      findings.push(wrong(subject, error.message, `correct it, or unset ${set.join(', ')}`))
      for (const name of error.variables) {
        leftAside.add(name)
        delete left[name]
      }
    }
  }
}

function unknownIn(environment: NodeJS.ProcessEnv): Finding[] {
  const known = settingNames()
  return Object.keys(environment)
    .filter((name) => name.startsWith('WAYBILL_') && !known.includes(name))
    .map((name) => wrong(subject, `${name} is no setting, and has no effect`, mendingOf(name, known)))
}

function mendingOf(name: string, known: string[]): string {
  const [nearest] = known
    .map((each) => ({ each, distance: distanceBetween(name, each) }))
    .toSorted((one, other) => one.distance - other.distance)
  return nearest && nearest.distance <= 3 ? `did you mean ${nearest.each}?` : 'unset it'
}

/** How many letters have to be changed, added or left out to come from one word to the other. */
function distanceBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [place, letter] of one.split('').entries()) {
    const next = [place + 1]
    for (const [index, otherLetter] of other.split('').entries()) {
      const replaced = (row[index] as number) + (letter === otherLetter ? 0 : 1)
      next.push(Math.min(replaced, (row[index + 1] as number) + 1, (next[index] as number) + 1))
    }
    row = next
  }
  return row.at(-1) as number
}

const thisMachine = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])

/** What is allowed, and yet seldom meant. */
function doubtsAbout({ host, publicUrl, operators, documents, provider }: Settings): Finding[] {
  const isOpen = !thisMachine.has(host) || publicUrl !== undefined
  const doubts: Finding[] = []
  if (!thisMachine.has(host) && publicUrl === undefined) {
    const what = 'WAYBILL_PUBLIC_URL is not set: links lead to whichever host was asked'
    doubts.push(warning(subject, what, 'set it to the address by which customers reach the service'))
  }
  if (publicUrl?.startsWith('http:') && !thisMachine.has(new URL(publicUrl).hostname)) {
    const what = 'WAYBILL_PUBLIC_URL is not https: browsers keep no session there'
    doubts.push(warning(subject, what, 'put a proxy with TLS in front, and name its address'))
  }
  if (isOpen && operators === 'with customers') {
    const what = 'operators are served where customers are'
    doubts.push(warning(subject, what, 'set WAYBILL_OPS_PORT, or WAYBILL_OPS=off in processes that customers reach'))
  }
  if (documents && 'origin' in documents && isPlainElsewhere(documents.origin)) {
    const what = 'documents go to their bucket without TLS'
    doubts.push(warning(subject, what, 'leave out tls=off in WAYBILL_DOCUMENTS'))
  }
  if (provider && publicUrl === undefined) {
    const what = 'sign-in with the provider returns to whichever host was asked'
    doubts.push(warning(subject, what, 'set WAYBILL_PUBLIC_URL, and register its callback at the provider'))
  }
  return doubts
}

function isPlainElsewhere(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'http:' && !thisMachine.has(hostname)
}
