import { expect, test } from 'vitest'
import { edifact, iftsta, ocean, x12 } from '../../support/edi.js'
import { startCarrier } from '../../support/messages.js'
import { startService } from '../../support/service.js'

const service = await startService()

test('the statuses of an IFTSTA interchange become dates of the shipment, by the clock of their places', async () => {
  const { ship, post, booking, containers, dates, tracked, seen, work } = await startCarrier(service)
  const id = await ship()
  const messages = containers.flatMap((container) => [
    iftsta({ code: '13', at: '202603021000', place: 'CNNGB', container, empty: true }),
    iftsta({ code: '74', at: '202603060900', place: 'CNNGB', container, booking }),
    iftsta({ code: 'AE::HS', at: '202603080900', place: 'CNNGB', container, booking }),
  ])
  const calls = ['LOC+9+CNNGB:139:6', 'DTM+186:202603100830:203', 'LOC+11+DEHAM:139:6', 'DTM+132:202604020600:203']
  const departed = iftsta({ code: '24', at: '202603100830', place: 'CNNGB', booking, rest: calls })
  const { body } = await post(edifact([...messages, departed]), 'iftsta')
  expect(body).toMatchObject({ outcome: 'applied', format: 'iftsta', counts: { events: 8, applied: 8 } })
  expect(body.events[0]).toMatchObject({ code: 'EMPTY_OUT', source_code: '13', status: 'actual' })
  expect(body.events[2]).toMatchObject({ code: 'LOADED', source_code: 'AE::HS', date: '2026-03-08T09:00:00+08:00' })
  const { steps } = (await work('getTracking', { params: { svc_shipment_id: id } })).body
  const loaded = steps[1]?.events.find(({ code }) => code === 'LOADED')
  expect(loaded).toMatchObject({
    vessel: { name: 'ELBE HORIZON', imo: '9321483', voyage: '014W' },
    laden: 'laden',
    source_code: 'AE::HS',
  })
  // Daylight saving began in Hamburg four days before.
  expect(await dates(id)).toMatchObject({
    departure_date: { date: '2026-03-10T08:30:00+08:00', status: 'actual' },
    arrival_date: { date: '2026-04-02T06:00:00+02:00', status: 'estimated' },
  })
  expect((await seen(id)).status).toBe('in_progress')
  const descriptions = (await tracked(id)).tracking_steps?.[1]?.events?.map(({ description }) => description)
  expect(descriptions).toContain('Departed (vessel ELBE HORIZON 014W)')
  expect(descriptions).toContain('Loaded on vessel (vessel ELBE HORIZON 014W)')
})

test('a status of arrival at the port of discharge is an arrival, and an offset that is not escaped is warned of', async () => {
  const { ship, post, containers, dates } = await startCarrier(service)
  const id = await ship()
  const segments = containers.flatMap((container) => [
    `EQD+CN+${container}+45G1:102:5+++5`,
    'STS+1+40',
    'DTM+334:202603280800+0200:205',
    'LOC+175+DEHAM:139:6',
  ])
  const { body } = await post(edifact([['BGM+23+DOC1+9', ...segments]], '1', { type: 'IFTSTA:D:10A:UN' }), 'iftsta')
  expect(body.events[0]).toMatchObject({ code: 'ARRIVED' })
  expect(body.warnings?.[0]).toContain('not escaped')
  expect((await dates(id)).arrival_date?.status).toBe('actual')
})

test('the equipment part of later directories is read as well', async () => {
  const { ship, post, containers, dates } = await startCarrier(service)
  const id = await ship()
  const segments = [
    'BGM+23+DOC1+9',
    'DTM+137:202603290900:203',
    ...containers.flatMap((container) => [
      `EQD+CN+${container}+45G1:102:5+++5`,
      'STS+1+29',
      'DTM+334:202603280800?+0200:205',
      'LOC+175+DEHAM:139:6',
    ]),
  ]
  const { body } = await post(edifact([segments], '1', { type: 'IFTSTA:D:10A:UN' }), 'iftsta')
  expect(body).toMatchObject({
    outcome: 'applied',
    events: containers.map((container) => ({ code: 'DISCHARGED', references: [container] })),
  })
  expect((await dates(id)).arrival_date).toEqual({ date: '2026-03-28T08:00:00+02:00', status: 'actual' })
})

test('a 315 says where a container is, and when its vessel leaves and arrives', async () => {
  const { ship, post, containers, dates } = await startCarrier(service)
  const id = await ship()
  const ports = ['R4*L*UN*CNNGB*NINGBO*CN', 'R4*D*UN*DEHAM*HAMBURG*DE', 'DTM*371*20260402*0600*LT']
  const sets = containers.map((container) => ocean(container, 'VD', '20260310', '0830', 'CNNGB', ports))
  const { body } = await post(x12('315', sets), 'x12')
  expect(body).toMatchObject({ outcome: 'applied', counts: { events: 4, applied: 4 } })
  expect(body.warnings).toBeUndefined()
  expect(body.events[1]).toMatchObject({ code: 'ARRIVED', status: 'estimated', source_code: 'DTM 371' })
  expect(await dates(id)).toMatchObject({
    departure_date: { date: '2026-03-10T08:30:00+08:00', status: 'actual' },
    arrival_date: { date: '2026-04-02T06:00:00+02:00', status: 'estimated' },
  })
})

test('a 315 by city, customs code or without the check digit is read, and an empty container does not arrive', async () => {
  const { ship, post, containers, dates } = await startCarrier(service)
  const id = await ship()
  const [container] = containers
  const [initials, serial] = [container.slice(0, 4), container.slice(4, 10)]
  const set = (status: string) => [status, 'R4*D*CI**HAMBURG*DE']
  const arrived = (filled: string, date: string) =>
    `B4***VA*${date}*0600**${initials}*${serial}*${filled}*45G1*HAMBURG*CI`
  const { body } = await post(x12('315', [set(arrived('E', '20260320')), set(arrived('L', '20260328'))]), 'x12')
  expect(body.events).toMatchObject([
    { code: 'OTHER', references: [container] },
    { code: 'ARRIVED', date: '2026-03-28T06:00:00+01:00' },
  ])
  expect((await dates(id)).arrival_date?.status).toBe('estimated')
})

test('a 214 says what a truck did, in the zone that it names or that of the place', async () => {
  const { post, shipment, work, dates } = await startCarrier(service)
  const svc_shipment_id = await shipment({ status: 'booked', freight_mode: 'truck', route: {} })
  const plan = [
    { id: 'a', type: 'pickup', location_id: 1 },
    { id: 'b', type: 'delivery', location_id: 2 },
  ] as const
  await work('planTracking', { params: { svc_shipment_id }, body: { steps: [...plan] } })
  const set = [
    `B10*PRO123*${svc_shipment_id}*NSLU`,
    'L11*4711*PO',
    'LX*1',
    'AT7*AF*NS***20260308*0900*LT',
    'MS1*DALLAS*TX*US',
    'MS2*NSLU*53123*TL',
    'LX*2',
    'AT7*X6*NS***20260309*0900*PT',
    'MS1*PORTLAND*OR*US',
    'LX*3',
    'AT7***AB*NA*20260311*1000*M07',
    'LX*4',
    'AT7*D1*NS***20260311*1130*ED',
    'MS1*NEWARK*NJ*US',
  ]
  const { body } = await post(x12('214', [set]), 'x12')
  expect(body.events).toMatchObject([
    { code: 'PICKED_UP', date: '2026-03-08T09:00:00-05:00', svc_shipment_id },
    { code: 'OTHER', date: '2026-03-09T09:00:00-07:00' },
    { code: 'APPOINTMENT', status: 'planned', date: '2026-03-11T10:00:00-07:00', source_code: '1652:AB' },
    { code: 'DELIVERED', date: '2026-03-11T11:30:00-04:00' },
  ])
  expect(await dates(svc_shipment_id)).toMatchObject({
    pickup_date: { status: 'actual' },
    delivery_date: { date: '2026-03-11T11:30:00-04:00', status: 'actual' },
  })
})

test('wrong messages of an interchange are named with their place, and the others are applied', async () => {
  const { ship, post, containers } = await startCarrier(service)
  await ship()
  const [one, other] = containers
  const right = iftsta({ code: '48', at: '202603080900', place: 'CNNGB', container: one })
  const wrongDate = iftsta({ code: '48', at: '202613080900', place: 'CNNGB', container: other })
  const text = edifact([right, wrongDate, right]).replace(/UNT\+\d+\+3/, 'UNT+5+3')
  const { body } = await post(text, 'iftsta')
  expect(body).toMatchObject({ outcome: 'quarantined', counts: { events: 3, applied: 1, invalid: 2 } })
  const [, ofDate, ofCount] = body.events
  expect(ofDate?.reason).toMatch(/^STS: DTM has "202613080900" in format "203": it is no date \(byte \d+\)/)
  expect(ofCount?.reason).toMatch(/^message 3: UNT counts 5 segments: there are 11 \(byte \d+\)$/)
  const position = Number(/\d+(?=\)$)/.exec(ofCount?.reason ?? '')?.[0])
  expect(text.slice(position, position + 5)).toBe('UNT+5')
  for (const [content, format, fault] of [
    ['{}', 'iftsta', 'The message is no EDIFACT interchange: it must begin with UNA or UNB (byte 0).'],
    ['hello', 'x12', 'The message is no X12 interchange: it must begin with ISA (byte 0).'],
    [text.slice(0, 200), 'iftsta', 'The message ends within a segment: its terminator is missing (byte 190).'],
  ] as const) {
    expect((await post(content, format)).body).toMatchObject({ outcome: 'unreadable', reason: fault })
  }
})

test('an interchange that comes again, with other numbers, changes nothing; a cancelled one is taken back', async () => {
  const { ship, post, containers, revision, tracked } = await startCarrier(service)
  const id = await ship()
  const loaded = (issued: string, purpose: string, at = '202603080900') =>
    iftsta({ code: '48', at, place: 'CNNGB', container: containers[0] }, { issued, function: purpose })
  const events = async () => (await tracked(id)).tracking_steps?.flatMap((step) => step.events ?? [])
  expect((await post(edifact([loaded('202603081000', '9')], '1'), 'iftsta')).body.outcome).toBe('applied')
  const before = await revision()
  expect((await post(edifact([loaded('202603081000', '9')], '2'), 'iftsta')).body.outcome).toBe('duplicate')
  expect(await revision()).toBe(before)
  // The same, an hour later: the zone was corrected.
  expect((await post(edifact([loaded('202603081100', '9', '202603081000')], '3'), 'iftsta')).body.outcome).toBe(
    'applied',
  )
  expect(await events()).toMatchObject([{ date: '2026-03-08T10:00:00+08:00' }])
  expect((await post(edifact([loaded('202603081000', '5')], '4'), 'iftsta')).body.outcome).toBe('duplicate')
  expect(await events()).toMatchObject([{ date: '2026-03-08T10:00:00+08:00' }])
  const cancelled = edifact([loaded('202603081200', '1', '202603081000')], '5')
  expect((await post(cancelled, 'iftsta')).body.outcome).toBe('applied')
  expect(await events()).toEqual([])
})

test('oddities are warnings: other control references, wrong check digits, unknown zones, tests', async () => {
  const { ship, post, containers, dates } = await startCarrier(service)
  const id = await ship()
  const [container] = containers
  const wrong = container.slice(0, 10) + ((Number(container.at(-1)) + 1) % 10)
  const text = edifact([iftsta({ code: '48', at: '202603080900', place: 'CNNGB', container: wrong })])
  const { body } = await post(text.replace('UNZ+1+4711', 'UNZ+1+4712'), 'iftsta')
  expect(body.warnings).toEqual([
    expect.stringMatching(/^UNZ has the reference "4712", UNB has "4711" \(byte \d+\)$/),
    expect.stringMatching(new RegExp(`^container ${wrong} has a wrong check digit \\(byte \\d+\\)$`)),
  ])
  const nowhere = await post(x12('214', [['B10*1*2*NSLU', 'LX*1', 'AT7*X6*NS***20260309*0900*LT']]), 'x12')
  expect(nowhere.body.warnings).toEqual([
    expect.stringMatching(/^the time zone of the place of AT7 is not known: its time is taken as UTC \(byte \d+\)$/),
  ])
  const set = ocean(container, 'VD', '20260310', '0830', 'CNNGB')
  const tested = await post(x12('315', [set], { usage: 'T' }), 'x12')
  expect(tested.body).toMatchObject({ counts: { kept: 1 }, warnings: [expect.stringContaining('test')] })
  expect(await dates(id)).toEqual({})
})
