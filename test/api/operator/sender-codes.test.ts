import { expect, test } from 'vitest'
import { edifact, iftsta, ocean, x12 } from '../../support/edi.js'
import { whileInboxRuns } from '../../support/inbox.js'
import { startCarrier } from '../../support/messages.js'
import { startService } from '../../support/service.js'

const service = await startService()

test('a code that is not known is shown, moves nothing, and is mapped once for its sender', async () => {
  const { ship, post, containers, sender, dates, seen, tracked, ops } = await startCarrier(service)
  const id = await ship()
  const departed = (container: string, issued: string) =>
    iftsta({ code: 'VSLDEP::ZZZ:Vessel sailed', at: '202603100830', place: 'CNNGB', container }, { issued })
  const first = (await post(edifact([departed(containers[0], '202603110900')], '1'), 'iftsta')).body
  const second = (
    await post(
      edifact(
        containers.map((each) => departed(each, '202603120900')),
        '2',
      ),
      'iftsta',
    )
  ).body
  expect(first).toMatchObject({ outcome: 'applied', events: [{ code: 'OTHER', source_code: 'VSLDEP::ZZZ' }] })
  expect(await dates(id)).toEqual({})
  expect((await seen(id)).status).toBe('booked')
  const events = async () => (await tracked(id)).tracking_steps?.flatMap((step) => step.events ?? [])
  expect(await events()).toMatchObject([{ description: 'Vessel sailed (vessel ELBE HORIZON 014W)' }, {}])

  const query = { sender, state: 'unknown' } as const
  expect((await ops('listCodes', undefined, { query })).body).toEqual({
    codes: [
      {
        sender,
        format: 'iftsta',
        code: 'VSLDEP::ZZZ',
        text: 'Vessel sailed',
        count: 3,
        first_message_id: first.message_id,
        last_message_id: second.message_id,
      },
    ],
  })
  const params = { sender, format: 'iftsta', code: 'VSLDEP::ZZZ' } as const
  const mapped = await ops('mapCode', undefined, { params, body: { mapped_to: 'DEPARTED' } })
  expect(mapped.body).toMatchObject({ mapped_to: 'DEPARTED', count: 3, reopened: 2, mapped_by: expect.any(String) })
  const departure = { date: '2026-03-10T08:30:00+08:00', status: 'actual' }
  await whileInboxRuns(service.db, async () => (await dates(id)).departure_date?.status === 'actual')
  expect((await dates(id)).departure_date).toEqual(departure)
  // Not doubled.
  expect(await events()).toHaveLength(2)
  expect((await ops('listCodes', undefined, { query })).body.codes).toEqual([])
  // Another sender has its own codes.
  expect(
    (await post(edifact([departed(containers[0], '202603110900')]), 'iftsta', `${sender} 2`)).body.events,
  ).toMatchObject([{ code: 'OTHER' }])
  // What comes later has the meaning at once; what is replayed does nothing more.
  const params2 = { message_id: String(second.message_id) }
  expect((await ops('replayMessage', undefined, { params: params2 })).body.outcome).toBe('duplicate')

  expect((await ops('unmapCode', undefined, { params })).body).toMatchObject({ count: 3, reopened: 2 })
  await whileInboxRuns(service.db, async () => (await dates(id)).departure_date === undefined)
  expect(await ops('unmapCode', undefined, { params })).toBeRefused('code_not_mapped')
})

test('codes of X12 are apart by their transaction set, listed in pages, and a meaning of ours can be replaced', async () => {
  const { ship, post, containers, sender, ops, dates } = await startCarrier(service)
  const id = await ship()
  const [container] = containers
  const codes = ['Q1', 'Q2', 'Q3']
  const sets = codes.map((code) => ocean(container, code, '20260310', '0830', 'CNNGB'))
  await post(x12('315', sets), 'x12')
  await post(x12('214', [['B10*1*2*NSLU', 'LX*1', 'AT7*Q1*NS***20260310*0900*LT']]), 'x12')
  const pages = []
  for (let after: string | undefined; ; ) {
    const query = { sender, take: 2, ...(after !== undefined && { after }) }
    const { body } = await ops('listCodes', undefined, { query })
    pages.push(body.codes.map(({ format, code }) => `${format} ${code}`))
    after = body.next
    if (after === undefined) break
  }
  expect(pages).toEqual([
    ['x12_214 Q1', 'x12_315 Q1'],
    ['x12_315 Q2', 'x12_315 Q3'],
  ])
  expect(await ops('listCodes', undefined, { query: { after: 'x' } })).toBeRefused('invalid_request')
  // This carrier reports the expected departure with VD.
  const params = { sender, format: 'x12_315', code: 'VD' } as const
  const mapping = { mapped_to: 'DEPARTED', mapped_status: 'estimated' } as const
  expect((await ops('mapCode', undefined, { params, body: mapping })).body).toMatchObject({ count: 0, reopened: 0 })
  await post(x12('315', [ocean(container, 'VD', '20260310', '0830', 'CNNGB')]), 'x12')
  expect((await dates(id)).departure_date?.status).toBe('estimated')
})
