import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEdifactEvents, readX12Events } from '../../../src/domain/messages/edi/read-edi.js'
import { edifact, finish, iftsta, ocean, readEdifact, readX12, x12 } from '../../support/edi.js'

const bytes = (text: string) => Buffer.from(text, 'latin1')
const nowhere = {
  zoneOf: () => undefined,
  zoneOfCountry: () => undefined,
  cityOf: () => undefined,
  mappingOf: () => undefined,
}
const status = iftsta({ code: '48', at: '202603080900', place: 'CNNGB', container: 'NSLU0000008' })

test('separators come from UNA, and the release character takes the meaning from the one that follows', () => {
  const text =
    "UNA;*.! ~UNB*UNOC;3*A*B*260310;1200*1~UNH*9*IFTSTA;D;00B;UN~FTX*AAI***it!*s !~ a !; ? '+:~UNT*3*9~UNZ*1*1~"
  const { messages, fault, warnings } = readEdifact(bytes(text))
  expect([fault, warnings]).toEqual([undefined, []])
  expect(messages[0]?.segments[1]?.elements.at(-1)).toEqual(["it*s ~ a ; ? '+:"])
  const defaults = edifact([["FTX+AAI+++50?+ ??, it?'s?: so"]])
  expect(readEdifact(bytes(defaults)).messages[0]?.segments[1]?.elements.at(-1)).toEqual(["50+ ?, it's: so"])
})

test('text is decoded by the character set that UNB names', () => {
  const textIn = (content: Buffer) => readEdifact(content).messages[0]?.segments[1]?.elements.at(-1)?.[0]
  const named = (syntax: string) => edifact([['FTX+AAI+++@']], '1', { syntax }).split('@')
  const inside = (syntax: string, value: Buffer) => {
    const [before = '', after = ''] = named(syntax)
    return Buffer.concat([bytes(before), value, bytes(after)])
  }
  expect(textIn(inside('UNOC', Buffer.from('Göteborg', 'latin1')))).toBe('Göteborg')
  expect(textIn(inside('UNOY', Buffer.from('上海')))).toBe('上海')
  expect(textIn(inside('UNOD', Buffer.from([0xa3, 0xf3, 0x64, 0xbc])))).toBe('Łódź')
  expect(textIn(inside('UNOE', Buffer.from([0xbc, 0xde, 0xe1])))).toBe('Мос')
  // A wrapped line and a control character.
  expect(textIn(inside('UNOA', bytes('Ham\r\nburg\u0000!')))).toBe('Hamburg !')
  expect(readEdifact(inside('UNOY', Buffer.from([0xc3, 0x28]))).fault).toMatchObject({
    code: '21',
    position: expect.any(Number),
  })
  expect(readEdifact(bytes(edifact([status], '1', { syntax: 'UNOX' }))).fault?.text).toContain('character set')
})

test('counts and references of an EDIFACT interchange are checked, each fault with its place', () => {
  const right = edifact([status, status])
  expect(readEdifact(bytes(right))).toMatchObject({ warnings: [], messages: [{ reference: '1' }, { reference: '2' }] })
  const wrongCount = readEdifact(bytes(right.replace(/UNT\+\d+\+2/, 'UNT+99+2')))
  expect(wrongCount.fault).toBeUndefined()
  expect(wrongCount.messages[0]?.fault).toBeUndefined()
  expect(wrongCount.messages[1]?.fault).toMatchObject({ code: '29', tag: 'UNT' })
  const position = wrongCount.messages[1]?.fault?.position as number
  expect(right.slice(position, position + 4)).toBe('UNT+')
  expect(readEdifact(bytes(right.replace(/UNT\+(\d+)\+2/, 'UNT+$1+3'))).messages[1]?.fault).toMatchObject({
    code: '28',
  })
  expect(readEdifact(bytes(right.replace('UNZ+2', 'UNZ+3'))).fault).toMatchObject({
    code: '29',
    text: 'UNZ counts 3 messages: there are 2',
  })
  // Nothing is missing: a warning.
  expect(readEdifact(bytes(right.replace('UNZ+2+4711', 'UNZ+2+4712')))).toMatchObject({
    warnings: [expect.stringContaining('UNZ has the reference "4712"')],
  })
  expect(readEdifact(bytes(right.slice(0, -20))).fault).toMatchObject({ code: '13' })
  expect(readEdifact(bytes(right.replace(/UNT\+\d+\+1'\r\n/, ''))).messages[0]?.fault).toMatchObject({ tag: 'UNT' })
  expect(readEdifact(bytes(`${right}UNB+UNOC:3+A+B+260310:1200+2'`)).fault?.text).toContain('more after UNZ')
})

test('separators of X12 come from ISA, also a short one, and its counts and control numbers are checked', () => {
  const set = ocean('NSLU0000008', 'AE', '20260308', '0900', 'CNNGB')
  const right = x12('315', [set, set])
  expect(readX12(bytes(right))).toMatchObject({ warnings: [], groups: [{ sets: [{ type: '315' }, { type: '315' }] }] })
  const other = right.replaceAll('*', '|').replaceAll('~\n', '\n')
  expect(readX12(bytes(other)).groups[0]?.sets).toHaveLength(2)
  const short = readX12(bytes(right.replace(/CARRIER {8}/, 'CARRIER')))
  expect(short).toMatchObject({ warnings: [expect.stringContaining('98 bytes')], groups: [{ sets: [{}, {}] }] })
  const faultOf = (text: string) => readX12(bytes(text))
  expect(faultOf(right.replace(/SE\*\d+\*0002/, 'SE*99*0002')).groups[0]?.sets[1]?.fault).toMatchObject({ code: '4' })
  expect(faultOf(right.replace(/SE\*(\d+)\*0002/, 'SE*$1*0003')).groups[0]?.sets[1]?.fault).toMatchObject({ code: '3' })
  expect(faultOf(right.replace('GE*2*7', 'GE*2*8')).groups[0]?.fault).toMatchObject({ code: '4' })
  expect(faultOf(right.replace('GE*2*7', 'GE*1*7')).groups[0]?.fault).toMatchObject({ code: '5' })
  expect(faultOf(right.replace('IEA*1', 'IEA*2')).fault).toMatchObject({ code: '021' })
  expect(faultOf(right.replace('IEA*1*000000042', 'IEA*1*000000043')).warnings).toHaveLength(1)
  expect(faultOf(right.slice(0, 300)).fault).toMatchObject({ code: '023', position: expect.any(Number) })
})

const samples = [
  edifact([status]),
  x12('315', [ocean('NSLU0000008', 'AE', '20260308', '0900', 'CNNGB', ['R4*L*UN*CNNGB', 'DTM*140*20260308*0900'])]),
  x12('214', [['B10*123*SHP-1*NSLU', 'LX*1', 'AT7*D1*NS***20260308*0900*LT', 'MS1*CHICAGO*IL*US']]),
]

test('any bytes give events or a fault that says where, never an exception', () => {
  const read = (content: Uint8Array) => {
    for (const each of [finish(readEdifactEvents(content, nowhere)), finish(readX12Events(content, nowhere))]) {
      if ('fault' in each) expect(each.fault).toMatch(/\(byte \d+\)$|^has more than \d+ events$/)
      else for (const item of each.events) if ('fault' in item) expect(item.fault).toMatch(/\(byte \d+\)/)
    }
  }
  fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), read), { numRuns: 500 })
  // Real ones with something cut out, doubled or replaced.
  const damaged = fc
    .tuple(fc.constantFrom(...samples), fc.nat({ max: 900 }), fc.nat({ max: 60 }), fc.string({ maxLength: 8 }))
    .map(([text, from, length, put]) => {
      const at = from % text.length
      return bytes(text.slice(0, at) + put + text.slice(at + length))
    })
  fc.assert(fc.property(damaged, read), { numRuns: 2000 })
})

test('an interchange of many segments, elements or characters is refused at the limit', () => {
  const inside = (text: string) => readEdifact(bytes(edifact([[text]])))
  expect(inside(`FTX${'+A'.repeat(200)}`).fault?.text).toContain('more than 100 elements')
  expect(inside(`FTX+${'A:'.repeat(200)}`).fault?.text).toContain('more than 30 components')
  expect(inside(`FTX+${'A'.repeat(5000)}`).fault?.text).toContain('more than 4096 bytes')
  expect(inside("A'".repeat(60_000)).fault).toBeDefined()
  expect(inside(`${"LOC+1'".repeat(60_000)}FTX`).fault?.text).toContain('more than 50000 segments')
  // Each segment is within its limits; together they would take a second to read.
  expect(inside(`FTX${`+${'A:'.repeat(20)}`.repeat(80)}'`.repeat(200)).fault?.text).toContain('more than 250000 values')
  expect(inside(`FTX+${'??'.repeat(2000)}'`.repeat(200)).fault?.text).toContain('more than 250000 values')
})

const list = <Item>(count: number, item: (at: number) => Item) => Array.from({ length: count }, (_, at) => item(at))

test('the time to read grows with the length, not with its square', () => {
  const hostile = [
    `UNB+UNOC:3+A+B+260310:1200+1'UNH+1+IFTSTA:D:00B:UN'${"?'".repeat(2_000_000)}`,
    `UNB+UNOC:3+A+B+260310:1200+1'${'+'.repeat(4_000_000)}`,
    `UNB+UNOC:3+A+B+260310:1200+1'${"UNH+1+IFTSTA:D:00B:UN'".repeat(180_000)}`,
    `UNB+UNOC:3+A+B+260310:1200+1'UNH+1+IFTSTA:D:00B:UN'${"STS+1+1'".repeat(49_000)}`,
    ' '.repeat(4_000_000),
    `ISA${'*'.repeat(4_000_000)}`,
    `${x12('315', []).slice(0, 107)}GS*QO*A*B*20260310*1200*7*X*004010~${'ST*315*1~'.repeat(49_000)}`,
  ]
  for (const text of hostile) {
    finish(readEdifactEvents(bytes(text), nowhere))
    finish(readX12Events(bytes(text), nowhere))
  }
}, 20_000)

test('statuses that share references, places or containers do not look through all of them', () => {
  const shared = [
    edifact([
      [
        ...list(25_000, (at) => `RFF+BM:B${at}`),
        ...list(4900, () => ['CNI+1', 'STS+1+VD', 'DTM+334:202601011200:203']).flat(),
      ],
    ]),
    x12('214', [[...list(24_000, (at) => `L11*B${at}*BM`), ...list(24_000, () => 'AT7*X3*NS***20260101*1200')]]),
    x12('315', [
      ['B4***VD*20260101*1200', ...list(24_000, () => 'R4*L*UN*DEHAM'), ...list(24_000, () => 'SG*VD***20260101*1200')],
    ]),
  ]
  for (const text of shared) {
    finish(readEdifactEvents(bytes(text), nowhere))
    finish(readX12Events(bytes(text), nowhere))
  }
}, 60_000)

test('a status of a 315 without a place of its own is at no place, where the container calls at ports on the way', () => {
  const set = (ports: string[]) => x12('315', [['B4***UV*20260310*0900**NSLU*000000*L*45G1', ...ports]])
  const placeIn = (content: string) => {
    const read = finish(readX12Events(bytes(content), nowhere))
    if ('fault' in read) throw new Error(read.fault)
    const [first] = read.events
    return first && 'event' in first ? first.event.place.unlocode : first
  }
  const ends = ['R4*L*UN*CNSHA', 'R4*D*UN*USLAX']
  expect(placeIn(set(ends))).toBe('USLAX')
  expect(placeIn(set([...ends, 'R4*I*UN*KRPUS']))).toBeUndefined()
  expect(placeIn(set([...ends, 'R4*I*UN*KRPUS', 'R4*5*UN*KRPUS']))).toBe('KRPUS')
})
