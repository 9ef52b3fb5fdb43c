import { expect, test } from 'vitest'
import { operatorExamples } from '../../../src/contract/operator/examples.js'
import type { OperatorOperation } from '../../../src/contract/operator/operation.js'
import {
  type OperatorOperationName,
  operatorOperationNames,
  operatorOperations,
} from '../../../src/contract/operator/operations.js'
import { createOperatorWithKey } from '../../../src/usecases/accounts/create-operator.js'
import { uniqueContainer } from '../../support/messages.js'
import { startOffice } from '../../support/office.js'
import { accountWithExamples, checkedOperatorResponse, newOperator } from '../../support/operator.js'
import { sendExample } from '../../support/operator-examples.js'
import { storedState } from '../../support/stored-state.js'

/**
 * Operators who work for some accounts only. Every operation is tried on an account that is not theirs; the operations come from the
 * contract, so a new one is included, and one over several accounts needs an entry in `requests`.
 */

// Of its own: the examples also write what all accounts share.
const service = await startOffice()
const { baseUrl, db } = service
const everywhere = await newOperator(service)

/** An account with something of everything that operations over several accounts show. */
async function inhabited() {
  const { slug, id } = await accountWithExamples(service)
  const { ops } = everywhere
  const container = uniqueContainer()
  const { id: svc_shipment_id } = (
    await ops('createShipment', slug, {
      body: { status: 'in_progress', cargo: { containers: [{ container_number: container }] } },
    })
  ).body
  const steps = [{ id: 'origin', type: 'origin_port', port: { unlocode: 'CN/NGB' } }] as const
  await ops('planTracking', slug, { params: { svc_shipment_id }, body: { steps: [...steps] } })
  const date = new Date(Date.now() + 2 * 86_400_000).toISOString()
  const departs = { step: 'origin', code: 'DEPARTED', description: 'Departed', status: 'planned', date } as const
  await ops('addEvent', slug, { params: { svc_shipment_id }, body: departs })
  const lines = [{ description: 'Freight', price: { amount: 100, currency: 'EUR' } }] as const
  const { id: reference } = (await ops('draftInvoice', slug, { body: { lines: [...lines] } })).body
  const issued = await ops('issueInvoice', slug, { params: { reference }, body: {} })
  expect(issued.status).toBe(200)
  const { number = '' } = (await ops('getInvoice', slug, { params: { reference } })).body.record
  const term = { ...(operatorExamples.setFreeTimeTerm.body as object), account: slug }
  const params = { term_id: `term-${slug}` }
  expect((await send('setFreeTimeTerm', everywhere.key, { params, body: term })).status).toBe(200)
  const event = {
    container_number: container,
    code: 'GATE_OUT',
    description: 'Gate out',
    date: new Date().toISOString(),
    status: 'actual',
  }
  const received = await send('receiveMessage', everywhere.key, {
    query: { sender: slug, format: 'events' },
    body: [event],
  })
  const { message_id } = received.json as { message_id: number }
  const { id: requested } = (await ops('createShipment', slug, { body: { status: 'booking_request' } })).body
  const waiting = { account: slug, kind: 'booking_request' as const, item: requested }
  await ops('actOnWorkItems', undefined, { body: { action: 'assign', owner: 'Ines', items: [waiting] } })
  return { slug, id, container, svc_shipment_id, number, message_id: String(message_id) }
}

type Request = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown }

async function send(name: OperatorOperationName, key: string, { params = {}, query = {}, body }: Request) {
  const { method, path, accepts }: OperatorOperation = operatorOperations[name]
  const address = path.replaceAll(/\{(\w+)\}/g, (_, each: string) => encodeURIComponent(params[each] ?? ''))
  const response = await fetch(`${baseUrl}${address}?${new URLSearchParams(query).toString()}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': accepts === 'lines' ? 'application/x-ndjson' : 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const { status, text } = await checkedOperatorResponse(name, response)
  return { status, text, json: /^[[{]/.test(text) ? (JSON.parse(text) as unknown) : undefined }
}

const [own, other] = [await inhabited(), await inhabited()]
const limited = await createOperatorWithKey(db, { name: 'Limited', role: 'admin', accounts: [own.id] })
type Place = typeof own

type OverAccounts = {
  [Name in OperatorOperationName]: (typeof operatorOperations)[Name] extends { covers: 'own_accounts' } ? Name : never
}[OperatorOperationName]

const message = ({ message_id }: Place) => ({ params: { message_id } })

/** What shows something of the account to those who work for it. */
const requests: Record<OverAccounts, (place: Place) => Request> = {
  listAccounts: () => ({ query: { take: '1000' } }),
  findShipments: ({ container }) => ({ query: { q: container } }),
  findOpenOrders: () => ({}),
  findInvoices: () => ({ query: { take: '100' } }),
  listUnbilled: () => ({ query: { take: '100' } }),
  listReceivables: () => ({ query: { take: '100' } }),
  matchPayments: ({ number }) => ({ body: { text: `2026-04-14;100,00;EUR;${number}` } }),
  suggestDocument: ({ container }) => ({ query: { name: `${container}.pdf` }, body: '' }),
  listDocumentProposals: () => ({ query: { take: '100' } }),
  findNeededDocuments: () => ({ query: { take: '100' } }),
  listMessages: ({ slug }) => ({ query: { sender: slug } }),
  getMessage: message,
  getMessageContent: message,
  getAcknowledgement: message,
  lookUpReference: ({ container }) => ({ query: { reference: container } }),
  listConversations: () => ({ query: { take: '100' } }),
  listFreeTimeTerms: () => ({ query: { take: '200' } }),
  exportFreeTimeTable: () => ({ query: { table: 'terms' } }),
  listExceptions: () => ({ query: { take: '100' } }),
  countWork: () => ({}),
  listWorkItems: () => ({ query: { take: '1000' } }),
  listEvents: () => ({ query: { limit: '1000' } }),
  listWebhooks: () => ({ query: { take: '100' } }),
  import: ({ slug }) => ({
    body: `${JSON.stringify({ kind: 'location', account: slug, data: { id: 77, name: 'N' } })}\n`,
  }),
  changeShipments: ({ slug, svc_shipment_id }) => ({
    body: { changes: [{ account: slug, svc_shipment_id, revision: 1, patch: { name: 'Mine' } }] },
  }),
  actOnExceptions: ({ slug }) => ({
    body: { action: 'acknowledge', exceptions: [{ account: slug, exception_id: 'exc-1' }] },
  }),
  actOnWorkItems: ({ slug, svc_shipment_id }) => ({
    body: { action: 'assign', owner: 'Me', items: [{ account: slug, kind: 'booking_request', item: svc_shipment_id }] },
  }),
}
/** Those that repeat what was asked for: they refuse each part. */
const named = new Set<string>(['import', 'changeShipments', 'actOnExceptions', 'actOnWorkItems'])
/** Counts name no account. */
const counts = new Set<string>(['countWork'])

test('an operation about an account of others is refused as if there were none, and nothing changes', async () => {
  const before = await storedState(db, other.id)
  for (const name of operatorOperationNames) {
    const { path, covers }: OperatorOperation = operatorOperations[name]
    if (!path.includes('{account}')) {
      expect(covers, name).toBeDefined()
      continue
    }
    const response = await sendExample({ baseUrl, key: limited.key }, name, { account: other.slug })
    expect(await checkedOperatorResponse(name, response), name).toBeRefused('account_not_found')
  }
  expect(await storedState(db, other.id)).toEqual(before)
})

test('an operation that concerns all accounts is refused to an operator who works for some', async () => {
  const before = await storedState(db, 0)
  for (const name of operatorOperationNames) {
    if ((operatorOperations[name] as OperatorOperation).covers !== 'all_accounts') continue
    const response = await sendExample({ baseUrl, key: limited.key }, name, { account: own.slug })
    expect(await checkedOperatorResponse(name, response), name).toBeRefused('limited_to_accounts')
  }
  expect(await storedState(db, 0)).toEqual(before)
})

test.each(Object.keys(requests).filter((name) => !named.has(name) && !counts.has(name)) as OverAccounts[])(
  '%s shows what is of the own accounts, and nothing of others',
  async (name) => {
    const shows = async (key: string, place: Place) => {
      const { status, text } = await send(name, key, requests[name](place))
      const isFile = name === 'getMessageContent' || name === 'getAcknowledgement'
      return isFile ? !text.includes('message_not_found') : status === 200 && text.includes(`"${place.slug}"`)
    }
    const inTable = async (key: string, place: Place) =>
      (await send(name, key, requests[name](place))).text.includes(place.slug)
    const sees = name === 'exportFreeTimeTable' ? inTable : shows
    expect(await sees(everywhere.key, other), 'for all accounts').toBe(true)
    expect(await sees(limited.key, own), 'own').toBe(true)
    expect(await sees(limited.key, other), 'of others').toBe(false)
  },
)

test('an account of others as a filter is refused as if there were none', async () => {
  const names = ['findShipments', 'findOpenOrders', 'findInvoices', 'listUnbilled', 'listDocumentProposals'] as const
  const more = [
    'findNeededDocuments',
    'listConversations',
    'listExceptions',
    'countWork',
    'listWorkItems',
    'listEvents',
    'listWebhooks',
  ] as const
  for (const name of [...names, ...more]) {
    const refused = await send(name, limited.key, { query: { account: other.slug } })
    expect(refused.json, name).toMatchObject({ code: 'account_not_found' })
    expect((await send(name, limited.key, { query: { account: own.slug } })).status, name).toBe(200)
  }
})

test('work is counted in the own accounts alone', async () => {
  const ofLimited = await send('countWork', limited.key, {})
  const ofOwn = await send('countWork', everywhere.key, { query: { account: own.slug } })
  const { messages: _all, codes: _known, ...counted } = ofLimited.json as Record<string, number>
  expect(ofOwn.json).toMatchObject(counted)
})

test('imports and changes of many leave accounts of others as they are, and change the own ones', async () => {
  const before = await storedState(db, other.id)
  const imported = await send('import', limited.key, requests.import(other))
  expect(imported.json).toMatchObject({
    code: 'import_rejected',
    errors: [{ detail: expect.stringContaining('there is no account') }],
  })
  for (const name of ['changeShipments', 'actOnExceptions', 'actOnWorkItems'] as const) {
    const { json } = await send(name, limited.key, requests[name](other))
    expect(json, name).toMatchObject({ outcomes: [{ outcome: 'refused', code: 'account_not_found' }] })
  }
  expect(await storedState(db, other.id)).toEqual(before)
  expect((await send('import', limited.key, requests.import(own))).status).toBe(200)
})

test('an account that would be new is not created by an import of an operator who works for some', async () => {
  const line = { kind: 'account', account: `new-${own.slug}`, data: { name: 'New' } }
  const refused = await send('import', limited.key, { body: `${JSON.stringify(line)}\n` })
  expect(refused.json).toMatchObject({ code: 'import_rejected' })
})

test('operations that reveal nothing about customers are open to operators of some accounts', async () => {
  for (const name of operatorOperationNames) {
    if ((operatorOperations[name] as OperatorOperation).covers !== 'no_account') continue
    const response = await sendExample({ baseUrl, key: limited.key }, name)
    const text = await response.text()
    expect([200, 404], name).toContain(response.status)
    expect(text, name).not.toContain(other.slug)
  }
})

test('an operator sees for which accounts it works, and of others who work there only the own ones', async () => {
  expect((await send('getOperator', limited.key, {})).json).toMatchObject({ accounts: [own.slug] })
  expect((await send('getOperator', everywhere.key, {})).json).not.toHaveProperty('accounts')
})

test('with a limit to it, every operation on the own account works as for everyone else', async () => {
  for (const name of operatorOperationNames) {
    if (!operatorOperations[name].path.includes('{account}') || operatorOperations[name].method !== 'GET') continue
    const response = await sendExample({ baseUrl, key: limited.key }, name, { account: own.slug })
    expect(await response.text(), name).not.toMatch(/account_not_found|limited_to_accounts/)
  }
})
