import { expect, test } from 'vitest'
import { createOperatorClient } from '../../src/client/operator-client.js'
import { WaybillError } from '../../src/client/response.js'
import { newAccount } from '../support/account.js'
import { newOperator } from '../support/operator.js'
import { startService } from '../support/service.js'

const service = await startService()

test('the typed client calls the operator interface, and throws refusals with their problem', async () => {
  const { slug: account } = await newAccount(service)
  const { key } = await newOperator(service)
  const waybill = createOperatorClient({ baseUrl: service.baseUrl, key })
  const created = await waybill.createShipment({ params: { account }, body: { name: 'Lamps' } })
  const params = { account, svc_shipment_id: created.data.id }
  const read = await waybill.getShipment({ params })
  expect(read.data.record.name).toBe('Lamps')
  expect(await waybill.getShipment({ params, ifNoneMatch: read.etag })).toMatchObject({
    notModified: true,
    data: undefined,
  })
  const refused = await waybill.moveShipment({ params, body: { status: 'draft' } }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(WaybillError)
  expect((refused as WaybillError).code).toBe('transition_not_allowed')
})

test('the typed client omits operations that are not JSON in both directions', async () => {
  const waybill = createOperatorClient({ baseUrl: service.baseUrl })
  expect(Object.keys(waybill)).toContain('listAccounts')
  for (const name of ['import', 'uploadDocument', 'getInvoicePdf']) expect(Object.keys(waybill)).not.toContain(name)
})
