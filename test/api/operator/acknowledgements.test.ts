import { expect, test } from 'vitest'
import { edifact, iftsta, ocean, readEdifact, readX12, x12 } from '../../support/edi.js'
import { startCarrier } from '../../support/messages.js'
import { startService } from '../../support/service.js'

const service = await startService()

async function start() {
  const { post, ops } = await startCarrier(service)
  const acknowledged = async (content: string, format: string, type?: '997' | '999') => {
    const { body } = await post(content, format)
    const params = { message_id: String(body.message_id) }
    return ops('getAcknowledgement', undefined, { params, query: type ? { type } : {} })
  }
  const linesOf = async (...given: Parameters<typeof acknowledged>) =>
    (await acknowledged(...given)).text.split(/['~]\r?\n/).slice(0, -1)
  return { acknowledged, linesOf }
}

const status = iftsta({ code: '48', at: '202603080900', place: 'CNNGB', container: 'NSLU0000008' })
const set = ocean('NSLU0000008', 'AE', '20260308', '0900', 'CNNGB')

test('an EDIFACT interchange is answered with CONTRL, message by message', async () => {
  const { linesOf, acknowledged } = await start()
  const lines = await linesOf(edifact([status, status]).replace(/UNT\+\d+\+2/, 'UNT+5+2'), 'iftsta')
  expect(lines.slice(1, -1)).toEqual([
    'UNH+1+CONTRL:D:3:UN',
    'UCI+4711+CARRIER:ZZZ+FORWARDER:ZZZ+7',
    'UCM+1+IFTSTA:D:00B:UN+7',
    'UCM+2+IFTSTA:D:00B:UN+4+29+UNT',
    'UNT+5+1',
  ])
  expect(lines[0]).toMatch(/^UNB\+UNOC:3\+FORWARDER:ZZZ\+CARRIER:ZZZ\+\d{6}:\d{4}\+\d+$/)
  const { text } = await acknowledged(edifact([status], "A?'?+1"), 'iftsta')
  expect(readEdifact(Buffer.from(text))).toMatchObject({
    warnings: [],
    messages: [{ type: ['CONTRL', 'D', '3', 'UN'] }],
  })
  expect(text).toContain("UCI+A?'?+1+")
})

test('an interchange that is refused as a whole is answered with the reason, if its header can be read', async () => {
  const { linesOf, acknowledged } = await start()
  const wrong = await linesOf(edifact([status]).replace('UNZ+1', 'UNZ+2'), 'iftsta')
  expect(wrong).toContain('UCI+4711+CARRIER:ZZZ+FORWARDER:ZZZ+4+29+UNZ')
  const ended = await linesOf(x12('315', [set]).replace('IEA*1', 'IEA*2'), 'x12')
  expect(ended.slice(1)).toEqual(['TA1*000000042*260310*1200*R*021', expect.stringMatching(/^IEA\*0\*\d{9}$/)])
  for (const [content, format] of [
    ['nothing', 'iftsta'],
    ['[]', 'dcsa'],
    [edifact([['UCI+1+A+B+7']], '1', { type: 'CONTRL:D:3:UN' }), 'iftsta'],
  ] as const)
    expect(await acknowledged(content, format)).toBeRefused('message_not_acknowledged')
})

test('an X12 interchange is answered with 997, or with 999 where it is asked for', async () => {
  const { linesOf, acknowledged } = await start()
  const wrongDate = ocean('NSLU0000008', 'AE', '20261308', '0900', 'CNNGB')
  const text = x12('315', [set, set, wrongDate], { ta1: '1' }).replace(/SE\*\d+\*0002/, 'SE*99*0002')
  const lines = await linesOf(text, 'x12')
  expect(lines[0]).toMatch(
    /^ISA\*00\*.{10}\*00\*.{10}\*ZZ\*FORWARDER {6}\*ZZ\*CARRIER {8}\*\d{6}\*\d{4}\*U\*00401\*\d{9}\*0\*P\*>$/,
  )
  expect(lines.slice(1, -1)).toEqual([
    'TA1*000000042*260310*1200*A*000',
    expect.stringMatching(/^GS\*FA\*FORWARDER\*CARRIER\*\d{8}\*\d{4}\*1\*X\*004010$/),
    'ST*997*0001',
    'AK1*QO*7',
    'AK2*315*0001',
    'AK5*A',
    'AK2*315*0002',
    'AK5*R*4',
    'AK2*315*0003',
    'AK3*B4*2**8',
    'AK5*R*5',
    'AK9*P*3*3*1',
    'SE*11*0001',
    'GE*1*1',
  ])
  const whole = await acknowledged(x12('315', [set]), 'x12')
  expect(readX12(Buffer.from(whole.text))).toMatchObject({ warnings: [], groups: [{ sets: [{ type: '997' }] }] })
  expect(whole.text).toContain('AK9*A*1*1*1')
  const asked = await linesOf(x12('315', [set]), 'x12', '999')
  expect(asked).toEqual(expect.arrayContaining(['ST*999*0001*005010X231A1', 'AK1*QO*7*004010', 'IK5*A']))
  expect(await linesOf(x12('315', [set], { version: '005010X999' }), 'x12')).toContain('IK5*A')
})
