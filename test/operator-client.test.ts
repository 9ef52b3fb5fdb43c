import { expect, test } from 'vitest'
import { WaybillError } from '../src/client/client.js'
import { createOperatorClient } from '../src/client/operator-client.js'
import { newAccount } from './support/account.js'
import { newOperator } from './support/operator.js'
import { startService } from './support/service.js'

const service = await startService()

test('the typed client calls the operator interface, and tells a refusal by its problem', async () => {
  const { slug: account } = await newAccount(service)
  const { key } = await newOperator(service)
  const waybill = createOperatorClient({ baseUrl: service.baseUrl, key })
  const { id } = await waybill.createShipment({ params: { account }, body: { name: 'Lamps' } })
  const params = { account, svc_shipment_id: id }
  expect((await waybill.getShipment({ params })).record.name).toBe('Lamps')
  const refused = await waybill.moveShipment({ params, body: { status: 'draft' } }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(WaybillError)
  expect((refused as WaybillError).problem.code).toBe('transition_not_allowed')
})

test('the typed client leaves out what is not JSON both ways', async () => {
  const waybill = createOperatorClient({ baseUrl: service.baseUrl })
  expect(Object.keys(waybill)).toContain('listAccounts')
  for (const name of ['import', 'uploadDocument', 'getInvoicePdf']) expect(Object.keys(waybill)).not.toContain(name)
})
