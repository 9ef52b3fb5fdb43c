import { expect, test } from 'vitest'
import { renewDates } from '../../src/ledger/renew-dates.js'
import { startService } from '../support/service.js'
import { on, startTracking } from '../support/tracking.js'

const service = await startService()

test('dates that were derived by earlier rules are derived anew, once, with the reason in the history', async () => {
  const { plan, say, dates, id, svc_shipment_id } = await startTracking(service)
  await plan()
  await say('destination', 'Vessel arrival', 'estimated', 20)
  const wrong = { arrival_date: { date: on(9), status: 'actual' } }
  await service.db`
    update tracking set main_tracking_dates = ${JSON.stringify(wrong)}
    where account_id = ${id} and svc_shipment_id = ${svc_shipment_id}`
  await service.db`update accounts set tracking_rules = 0 where account_id = ${id}`
  const renewals = () => service.db<{ kind: string; reason: string }[]>`
    select kind, reason from changes where account_id = ${id} and what = 'derived' and reason is not null`

  await renewDates(service.db)
  expect((await dates())?.arrival_date).toEqual({ date: on(20), status: 'estimated' })
  expect(await renewals()).toContainEqual({ kind: 'tracking', reason: expect.stringContaining('rules') as string })
  const before = (await renewals()).length
  await renewDates(service.db)
  expect(await renewals()).toHaveLength(before)
})
