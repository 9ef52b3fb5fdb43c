import type { StoredResult } from '../report.js'

/** `docs/hostile-requests.md`: what each hostile request cost others. */

export type HostileRow = {
  name: string
  status: number
  /** The longest wait of another client, in milliseconds. */
  wait: number
  /** The longest processor time between two turns of the service to others, in milliseconds. */
  turn: number
  /** By how many bytes the memory of the service grew. */
  growth: number
}

export type HostileRows = {
  /** How often each request was sent. */
  times: number
  /** The longest wait of another client without hostile requests, in milliseconds. */
  usual: number
  rows: HostileRow[]
}

export const waitGoal = 100

export function hostilePage({ hostile, run }: StoredResult & { hostile: HostileRows }): string {
  const { times, usual, rows } = hostile
  const over = rows.filter(({ wait }) => wait > usual + waitGoal)
  const { processor, cores } = run.machine ?? { processor: 'unknown', cores: 0 }
  const sorted = rows.toSorted((one, other) => other.wait - one.wait)
  return `# Hostile requests

Written by \`npm run soak:hostile\`; do not edit. The requests are those of \`test/support/hostile\`: for every operation that takes JSON, and for every
parser. \`npm test\` sends each of them once (\`test/api/hostile-requests.test.ts\`).

No single request, signed in or not, may hold up others for more than 100 ms, or take more than 64 MiB. Each request was sent ${times} times, one after
another, to \`waybill serve\` with its embedded database, while another client, in a process of its own, sent one request after another.

- **Wait**: the longest that the other client waited for a response meanwhile. Without hostile requests it waited ${usual.toFixed(0)} ms at most; the goal is
  ${waitGoal} ms more. It includes whatever else the machine did.
- **Turn**: the longest processor time that the service used between two turns to others, the median of all times; below 10 ms it is 0. At most 100 ms.
- **Memory**: by how much the memory of the service grew, garbage included, the median of all times. At most 64 MiB.

${rows.length} requests; ${over.length} of them beyond the goal for the wait. ${run.date.slice(0, 10)}, commit ${run.commit}, ${processor}, ${cores} cores.

| Request | Status | Wait (ms) | Turn (ms) | Memory (MiB) |
|---|--:|--:|--:|--:|
${sorted.map(rowOf).join('\n')}
`
}

function rowOf({ name, status, wait, turn, growth }: HostileRow): string {
  const shown = name.replaceAll('|', String.raw`\|`).replaceAll('<', '&lt;').replaceAll('{', String.raw`\{`)
  const cells = [shown, status, wait.toFixed(0), turn.toFixed(0), (growth / 1024 / 1024).toFixed(0)]
  return `| ${cells.join(' | ')} |`
}
