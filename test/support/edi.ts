import { readEdifact as edifactSteps } from '../../src/domain/messages/edi/edifact.js'
import { readX12 as x12Steps } from '../../src/domain/messages/edi/x12.js'

/** Interchanges as carriers send them, in our own words. */

/** What a reader returns after all its steps. */
export function finish<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

export const readEdifact = (bytes: Uint8Array) => finish(edifactSteps(bytes))
export const readX12 = (bytes: Uint8Array) => finish(x12Steps(bytes))

/** An interchange of EDIFACT around messages; each is its segments between UNH and UNT. */
export function edifact(
  messages: string[][],
  reference = '4711',
  { syntax = 'UNOC', type = 'IFTSTA:D:00B:UN' } = {},
): string {
  const whole = messages.flatMap((segments, index) => [
    `UNH+${index + 1}+${type}`,
    ...segments,
    `UNT+${segments.length + 2}+${index + 1}`,
  ])
  const all = [
    `UNB+${syntax}:3+CARRIER:ZZZ+FORWARDER:ZZZ+260310:1200+${reference}`,
    ...whole,
    `UNZ+${messages.length}+${reference}`,
  ]
  return all.map((segment) => `${segment}'\r\n`).join('')
}

type Status = {
  code: string
  /** CCYYMMDDHHMM, the clock of the place. */
  at: string
  place?: string
  container?: string
  booking?: string
  empty?: boolean
  qualifier?: string
  rest?: string[]
}

/** The segments of an IFTSTA message with one status. */
export function iftsta(
  { code, at, place, container, booking, empty, qualifier = '334', rest = [] }: Status,
  head = {},
): string[] {
  const { issued = '202603110900', function: purpose = '9' } = head as { issued?: string; function?: string }
  return [
    `BGM+23+DOC1+${purpose}`,
    `DTM+137:${issued}:203`,
    'NAD+CA+NSLU:172:20',
    ...(booking === undefined ? [] : [`RFF+BN:${booking}`]),
    'CNI+1',
    `STS+1+${code}`,
    `DTM+${qualifier}:${at}:203`,
    ...(place === undefined ? [] : [`LOC+175+${place}:139:6`]),
    'TDT+20+014W+1++NSLU:172:20+++9321483:146::ELBE HORIZON',
    ...rest,
    ...(container === undefined ? [] : [`EQD+CN+${container}+45G1:102:5+++${empty ? 4 : 5}`]),
  ]
}

/** An interchange of X12 around transaction sets of one type; each is its segments between ST and SE. */
export function x12(
  type: '315' | '214',
  sets: string[][],
  { control = '000000042', version = '004010', terminator = '~\n', usage = 'P', ta1 = '0' } = {},
): string {
  const whole = sets.flatMap((segments, index) => {
    const number = String(index + 1).padStart(4, '0')
    return [`ST*${type}*${number}`, ...segments, `SE*${segments.length + 2}*${number}`]
  })
  const pad = (text: string) => text.padEnd(15)
  const all = [
    `ISA*00*${' '.repeat(10)}*00*${' '.repeat(10)}*ZZ*${pad('CARRIER')}*ZZ*${pad('FORWARDER')}*260310*1200*U*00401*${control}*${ta1}*${usage}*>`,
    `GS*${type === '315' ? 'QO' : 'QM'}*CARRIER*FORWARDER*20260310*1200*7*X*${version}`,
    ...whole,
    `GE*${sets.length}*7`,
    `IEA*1*${control}`,
  ]
  return all.map((segment) => segment + terminator).join('')
}

/** The segments of a 315 about a container. */
export function ocean(
  container: string,
  code: string,
  date: string,
  time: string,
  place: string,
  rest: string[] = [],
): string[] {
  const [initials, serial, check] = [container.slice(0, 4), container.slice(4, 10), container.slice(10)]
  return [
    `B4***${code}*${date}*${time}**${initials}*${serial}*L*45G1*${place}*UN*${check}`,
    `N9*EQ*${container}`,
    'Q2*9321483********014W***L*ELBE HORIZON',
    ...rest,
  ]
}
