import { expect, test } from 'vitest'
import { type OperationName, operationNames, operations } from '../../../src/contract/public/operations.js'
import { line, newAccount, type TestAccount } from '../../support/account.js'
import { type Identifiers, importEverything, newIdentifiers, readInputs } from '../../support/every-resource.js'
import { proposalForm } from '../../support/proposals.js'
import { startService } from '../../support/service.js'

const service = await startService()

type FullAccount = TestAccount & { ids: Identifiers }

async function newFullAccount(ids: Identifiers): Promise<FullAccount> {
  const account = await newAccount(service)
  await importEverything(service, account, ids, account.slug)
  return { ...account, ids }
}

/** Everything that identifies an account. */
function identifiersOf({ slug, ids }: FullAccount): string[] {
  return [slug, ids.svc_shipment_id, ids.reference, ids.invoice, ids.number, String(ids.location), ids.document]
}

/** Requests of every operation with the identifiers of another account. */
const attempts: {
  [Name in OperationName]: (self: TestAccount, theirs: Identifiers) => Promise<{ status: number; text: string }[]>
} = {
  async listShipments({ call }) {
    return [await call('listShipments', { query: { take: 100 } })]
  },
  async getShipment({ call }, theirs) {
    return [await call('getShipment', readInputs(theirs).getShipment)]
  },
  async createPurchaseOrder({ call }, { reference }) {
    // The reference is free in this account, so it must not be refused because another account has it.
    return [await call('createPurchaseOrder', { body: { reference, product_lines: [line()] } })]
  },
  async updatePurchaseOrder({ call }, { reference }) {
    return [await call('updatePurchaseOrder', { body: { reference, supplier_id: 'taken over' } })]
  },
  async cancelPurchaseOrder({ call }, { reference }) {
    return [await call('cancelPurchaseOrder', { params: { reference }, body: {} })]
  },
  async listPurchaseOrders({ call }) {
    return [await call('listPurchaseOrders'), await call('listPurchaseOrders', { query: { take: 1000 } })]
  },
  async getPurchaseOrder({ call }, theirs) {
    return [await call('getPurchaseOrder', readInputs(theirs).getPurchaseOrder)]
  },
  async getOrderArrivals({ call }, theirs) {
    return [await call('getOrderArrivals', readInputs(theirs).getOrderArrivals)]
  },
  async listInbound({ call }, { reference, svc_shipment_id }) {
    return [
      await call('listInbound', { query: { delivered: 'any' } }),
      await call('listInbound', { query: { since: '2020-01-01T00:00:00Z', reference } }),
      await call('listInbound', { query: { delivered: 'any', svc_shipment_id } }),
    ]
  },
  async simulateDelay({ call }, theirs) {
    return [
      await call('simulateDelay', readInputs(theirs).simulateDelay),
      await call('simulateDelay', { ...readInputs(theirs).simulateDelay, query: { vessel: 'true' } }),
    ]
  },
  async listLocations({ call }) {
    return [await call('listLocations'), await call('listLocations', { query: { take: 1000 } })]
  },
  async getLocation({ call }, theirs) {
    return [await call('getLocation', readInputs(theirs).getLocation)]
  },
  async listInvoices({ call }) {
    return [await call('listInvoices'), await call('listInvoices', { query: { take: 1000 } })]
  },
  async getInvoice({ call }, { invoice, number }) {
    return [
      await call('getInvoice', { params: { reference: invoice } }),
      await call('getInvoice', { params: { reference: number } }),
    ]
  },
  async getTracking({ call }, theirs) {
    return [await call('getTracking', readInputs(theirs).getTracking)]
  },
  async explainTracking({ call }, theirs) {
    return [await call('explainTracking', readInputs(theirs).explainTracking)]
  },
  async getInvoiceChecks({ call }, theirs) {
    return [await call('getInvoiceChecks', readInputs(theirs).getInvoiceChecks)]
  },
  async getFreeTime({ call }, theirs) {
    return [await call('getFreeTime', readInputs(theirs).getFreeTime)]
  },
  async listEvents({ call }) {
    return [await call('listEvents'), await call('listEvents', { query: { include: 'object' } })]
  },
  async listExceptions({ call }, { svc_shipment_id, reference }) {
    return [
      await call('listExceptions'),
      await call('listExceptions', { query: { svc_shipment_id } }),
      await call('listExceptions', { query: { po_number: reference, as_of: '2999-01-01T00:00:00Z' } }),
    ]
  },
  async getException({ call }, theirs) {
    return [await call('getException', readInputs(theirs).getException)]
  },
  async acknowledgeException({ call }, { exception }) {
    return [await call('acknowledgeException', { params: { exception_id: exception }, body: {} })]
  },
  async createSharedLink({ call }, { svc_shipment_id, document }) {
    return [await call('createSharedLink', { params: { svc_shipment_id }, body: { documents: [document] } })]
  },
  async listSharedLinks({ call }, { svc_shipment_id }) {
    return [await call('listSharedLinks', { params: { svc_shipment_id } })]
  },
  async revokeSharedLink({ call }, { svc_shipment_id, link }) {
    return [await call('revokeSharedLink', { params: { svc_shipment_id, link_id: link } })]
  },
  async createWebhook({ call }) {
    return [await call('createWebhook', { body: { url: 'https://hooks.invalid/' } })]
  },
  async listWebhooks({ call }) {
    return [await call('listWebhooks')]
  },
  async getWebhook({ call }, { webhook }) {
    return [await call('getWebhook', { params: { webhook_id: webhook } })]
  },
  async updateWebhook({ call }, { webhook }) {
    return [await call('updateWebhook', { params: { webhook_id: webhook }, body: { description: 'taken over' } })]
  },
  async pauseWebhook({ call }, { webhook }) {
    return [await call('pauseWebhook', { params: { webhook_id: webhook } })]
  },
  async resumeWebhook({ call }, { webhook }) {
    return [await call('resumeWebhook', { params: { webhook_id: webhook } })]
  },
  async rotateWebhookSecret({ call }, { webhook }) {
    return [await call('rotateWebhookSecret', { params: { webhook_id: webhook }, body: {} })]
  },
  async testWebhook({ call }, { webhook }) {
    return [await call('testWebhook', { params: { webhook_id: webhook } })]
  },
  async replayWebhook({ call }, { webhook }) {
    return [await call('replayWebhook', { params: { webhook_id: webhook }, body: { from: new Date().toISOString() } })]
  },
  async listWebhookDeliveries({ call }, { webhook }) {
    return [await call('listWebhookDeliveries', { params: { webhook_id: webhook } })]
  },
  async deleteWebhook({ call }, { webhook }) {
    return [await call('deleteWebhook', { params: { webhook_id: webhook } })]
  },
  async resendWebhookDelivery({ call }, { webhook, delivery }) {
    return [await call('resendWebhookDelivery', { params: { webhook_id: webhook, delivery_id: delivery } })]
  },
  async listDocuments({ call }, { svc_shipment_id }) {
    return [
      await call('listDocuments'),
      await call('listDocuments', { query: { svc_shipment_id } }),
      await call('listDocuments', { query: { type: 'packing_list' } }),
    ]
  },
  async proposeDocument({ call }, { svc_shipment_id }) {
    return [await call('proposeDocument', { body: proposalForm({ svc_shipment_id }) })]
  },
  async listDocumentProposals({ call }, { svc_shipment_id }) {
    return [await call('listDocumentProposals'), await call('listDocumentProposals', { query: { svc_shipment_id } })]
  },
  async listMessages({ call }, { svc_shipment_id, reference }) {
    return [
      await call('listMessages'),
      await call('listMessages', { query: { svc_shipment_id } }),
      await call('listMessages', { query: { po_number: reference } }),
    ]
  },
  async postMessage({ call }, { svc_shipment_id, reference }) {
    const text = 'When does it arrive?'
    return [
      await call('postMessage', { body: { svc_shipment_id, text } }),
      await call('postMessage', { body: { po_number: reference, text } }),
    ]
  },
  async uploadMessageFile({ call }) {
    return [await call('uploadMessageFile', { body: proposalForm() })]
  },
}

// Operations that name nothing of another account.
const creating = /^(?:create(?:PurchaseOrder|Webhook)|uploadMessageFile)$/

// The shipment of a proposal is a field of the body.
function refusedWith(name: OperationName): number {
  return name === 'proposeDocument' ? 400 : 404
}

/** Everything that an account sees of itself, except links, which are signed again. */
async function viewOf({ call, ids }: FullAccount): Promise<string[]> {
  const inputs = readInputs(ids)
  const responses = [
    await call('listShipments', inputs.listShipments),
    await call('getShipment', inputs.getShipment),
    await call('listPurchaseOrders', inputs.listPurchaseOrders),
    await call('getPurchaseOrder', inputs.getPurchaseOrder),
    await call('listLocations', inputs.listLocations),
    await call('getLocation', inputs.getLocation),
    await call('getOrderArrivals', inputs.getOrderArrivals),
    await call('listInbound', { query: { delivered: 'any' } }),
    await call('listInvoices', inputs.listInvoices),
    await call('getInvoice', inputs.getInvoice),
    await call('getTracking', inputs.getTracking),
    await call('explainTracking', inputs.explainTracking),
    await call('getFreeTime', inputs.getFreeTime),
    await call('listDocuments', inputs.listDocuments),
    await call('listExceptions', inputs.listExceptions),
    await call('getException', inputs.getException),
    await call('listSharedLinks', inputs.listSharedLinks),
    await call('listWebhooks', inputs.listWebhooks),
    await call('listWebhookDeliveries', inputs.listWebhookDeliveries),
  ]
  return responses.map(({ text }) => text.replaceAll(/"link":"[^"]*"/g, ''))
}

// No test changes the other account, which each checks: they share it.
const unlike = await newFullAccount(newIdentifiers())
const viewOfUnlike = await viewOf(unlike)
const sameIds = newIdentifiers()
const alike = await newFullAccount(sameIds)
const viewOfAlike = await viewOf(alike)
// Reads share their own accounts, too: they change nothing.
const readerOfUnlike = await newFullAccount(newIdentifiers())
const readerOfAlike = await newFullAccount(sameIds)

function isRead(name: OperationName): boolean {
  return operations[name].method === 'GET'
}

test.each(operationNames)('%s neither shows nor changes data of another account', async (name) => {
  const self = isRead(name) ? readerOfUnlike : await newFullAccount(newIdentifiers())
  const other = unlike
  const responses = await attempts[name](self, other.ids)
  expect(responses.length).toBeGreaterThan(0)
  for (const { status, text } of responses) {
    if (creating.test(name)) expect(status).toBe(201)
    else if (name.startsWith('list') && name !== 'listSharedLinks' && name !== 'listWebhookDeliveries')
      expect(status).toBe(200)
    else expect(status).toBe(refusedWith(name))
    const reported = name === 'createPurchaseOrder' ? text.replace(other.ids.reference, '') : text
    for (const trace of identifiersOf(other)) expect(reported).not.toContain(trace)
  }
  expect(await viewOf(other)).toEqual(viewOfUnlike)
})

test.each(operationNames)('%s separates accounts with the same identifiers', async (name) => {
  const self = isRead(name) ? readerOfAlike : await newFullAccount(sameIds)
  const other = alike
  for (const { text } of await attempts[name](self, sameIds)) expect(text).not.toContain(other.slug)
  for (const text of await viewOf(self)) expect(text).not.toContain(other.slug)
  expect(await viewOf(other)).toEqual(viewOfAlike)
  for (const text of viewOfAlike) expect(text).toContain(other.slug)
})

test('an empty account sees nothing, whatever other accounts have', async () => {
  const { ids } = await newFullAccount(newIdentifiers())
  const self = await newAccount(service)
  for (const name of operationNames.filter((each) => !creating.test(each))) {
    for (const { status, text } of await attempts[name](self, ids)) {
      if (name === 'listEvents') expect(JSON.parse(text)).toMatchObject({ events: [] })
      else if (status === 200) expect(text).toBe('[]')
      else expect(status).toBe(refusedWith(name))
    }
  }
})

test('orders cannot be assigned to shipments of another account, nor its orders to own shipments', async () => {
  const [self, other] = [await newFullAccount(newIdentifiers()), await newFullAccount(newIdentifiers())]
  const assignment = { line: '1', assigned_quantity: 1 }
  for (const ids of [
    { reference: other.ids.reference, svc_shipment_id: self.ids.svc_shipment_id },
    { reference: self.ids.reference, svc_shipment_id: other.ids.svc_shipment_id },
  ]) {
    const { outcome } = await self.forwarder.triesToImport({ kind: 'assignment', data: { ...assignment, ...ids } })
    expect(outcome.kept).toBe(false)
  }
})

async function linkOf({ call, ids }: FullAccount): Promise<string> {
  const document = (await call('listDocuments')).body.find(({ id }) => id === ids.document)
  return document?.link ?? ''
}

async function download(link: string, key?: string) {
  const response = await fetch(link, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } })
  return { status: response.status, text: await response.text() }
}

test('a document link serves the document of its account, with and without a key', async () => {
  const ids = newIdentifiers()
  const [self, other] = [await newFullAccount(ids), await newFullAccount(ids)]
  expect(await download(await linkOf(self))).toEqual({ status: 200, text: self.slug })
  expect(await download(await linkOf(self), other.key)).toEqual({ status: 200, text: self.slug })
  expect(await download(await linkOf(other))).toEqual({ status: 200, text: other.slug })
})

test('no key and no other link makes a link to a document of another account valid', async () => {
  const [self, other] = [await newFullAccount(newIdentifiers()), await newFullAccount(newIdentifiers())]
  const [mine, theirs] = [tokenOf(await linkOf(self)), tokenOf(await linkOf(other))]
  const withTheirAccount = Buffer.concat([theirs.subarray(0, 4), mine.subarray(4)])
  const withTheirDocument = Buffer.concat([mine.subarray(0, 8), theirs.subarray(8, 24), mine.subarray(24)])
  const withMySeal = Buffer.concat([theirs.subarray(0, 24), mine.subarray(24)])
  const withoutSeal = theirs.subarray(0, 24)
  for (const forged of [withTheirAccount, withTheirDocument, withMySeal, withoutSeal, Buffer.alloc(40)]) {
    const link = `${service.baseUrl}/documents/${forged.toString('base64url')}`
    for (const key of [undefined, self.key, other.key]) {
      const result = await download(link, key)
      expect(result).toBeRefused('invalid_link')
      for (const trace of identifiersOf(other)) expect(result.text).not.toContain(trace)
    }
  }
})

function tokenOf(link: string): Buffer {
  return Buffer.from(new URL(link).pathname.replace('/documents/', ''), 'base64url')
}
