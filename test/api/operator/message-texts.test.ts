import { expect, test } from 'vitest'
import { edifact, iftsta, ocean, x12 } from '../../support/edi.js'
import { containerEvent, startCarrier } from '../../support/messages.js'
import { checkedOperatorResponse } from '../../support/operator.js'
import { startService } from '../../support/service.js'

/** What senders write may contain anything: characters that cannot be stored, and names that every object inherits. */

const service = await startService()

type Carrier = Awaited<ReturnType<typeof startCarrier>>

/** Neither the preview of the message nor the message itself fails. */
async function expectProcessed({ operatorKey, sender, post }: Carrier, format: string, content: string) {
  const previewed = await fetch(`${service.baseUrl}/ops/v1/messages/preview?format=${format}&sender=${sender}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/octet-stream' },
    body: content,
  })
  const preview = await checkedOperatorResponse('previewMessage', previewed)
  expect([preview.status, preview.text.slice(0, 300)], content.slice(0, 200)).toEqual([200, expect.any(String)])
  const { status, text, body } = await post(content, format)
  expect(status, content.slice(0, 200)).toBe(200)
  expect(text, content.slice(0, 200)).not.toContain('internal error')
  expect(text.isWellFormed()).toBe(true)
  return body
}

const ship = '\u{1f6a2}'
// Shortened anywhere, the last ones end within a character.
const unstorable = ['\0', '\ud83d', '\udc00', ...[99, 199, 999].map((length) => 'x'.repeat(length) + ship)]

test('texts of senders with characters that cannot be stored do not fail, wherever they are', async () => {
  const carrier = await startCarrier(service)
  const id = await carrier.ship()
  const [container] = carrier.containers
  for (const [index, text] of unstorable.entries()) {
    const event = containerEvent(container, { at: 'CNNGB', code: 'LOAD', day: 1 + index })
    const details = {
      changeRemark: text,
      delayReasonCode: text,
      facilityCode: text,
      eventLocation: { locationName: text },
    }
    const call = {
      ...event.transportCall,
      vessel: { vesselName: text, vesselIMONumber: text },
      exportVoyageNumber: text,
    }
    const read = await expectProcessed(
      carrier,
      'dcsa',
      JSON.stringify([
        { ...event, ...details, transportCall: call },
        { ...event, eventID: text, [text]: text },
      ]),
    )
    expect(read.counts.applied).toBeGreaterThan(0)
    await expectProcessed(carrier, 'events', JSON.stringify([{ [text]: 1 }, { description: text }]))
    await expectProcessed(
      carrier,
      'table',
      `container,event,date,place,vessel,remark,${text}\n${container},${text},2026-03-01,${text},${text},${text},x\n`,
    )
    const segments = iftsta({ code: text, at: '202603080900', place: 'CNNGB', container, rest: [`FTX+AAI+++${text}`] })
    await expectProcessed(carrier, 'iftsta', edifact([segments], '1', { syntax: 'UNOY' }))
    await expectProcessed(carrier, 'x12', x12('315', [ocean(container, text, '20260308', '0900', text)]))
  }
  expect((await carrier.call('getTracking', { params: { svc_shipment_id: id } })).text.isWellFormed()).toBe(true)
})

test('codes that are names which every object inherits are unknown codes', async () => {
  const carrier = await startCarrier(service)
  await carrier.ship()
  const [container] = carrier.containers
  for (const name of ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty']) {
    const usual = { at: '202603080900', place: 'CNNGB', container }
    const accents = iftsta({ ...usual, code: '74', rest: ['FTX+AAI+++Zürich'] })
    const unknown = await expectProcessed(carrier, 'iftsta', edifact([accents], '1', { syntax: name }))
    expect(unknown).toMatchObject({ outcome: 'unreadable', reason: expect.stringContaining('unknown character set') })
    const [head = '', ...rest] = iftsta({ ...usual, code: name })
    const referred = await expectProcessed(carrier, 'iftsta', edifact([[head, `RFF+${name}:B1`, ...rest]]))
    expect(referred.events[0]?.references).toEqual([container])
    const timed = ocean(container, 'VD', '20260308', `0900*${name}`, 'CNNGB').map((each) => each.replace('**', '*'))
    await expectProcessed(carrier, 'x12', x12('315', [timed]))
    await expectProcessed(
      carrier,
      'x12',
      x12('315', [ocean(container, name, '20260308', '0900', name, [`N9*${name}*B1`])]),
    )
  }
})
