import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { OperatorOperation } from '../../../src/contract/operator/operation.js'
import { operatorRefusalsOf } from '../../../src/contract/operator/operation.js'
import { operatorOperationNames, operatorOperations } from '../../../src/contract/operator/operations.js'
import { operatorRefusals } from '../../../src/contract/operator/refusals.js'
import { rights } from '../../../src/contract/operator/rights.js'
import { refusals } from '../../../src/contract/refusals.js'
import { startBrowser } from '../../support/browser.js'
import { dereferenced } from '../../support/dereferenced.js'
import { startService } from '../../support/service.js'

const service = await startService()

type Content = Record<string, { schema?: unknown; example?: unknown }>
type Described = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters: { name: string; in: string; required: boolean; example?: unknown }[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { description: string; content?: Content }>
}
type Description = {
  openapi: string
  info: { title: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Described>>
  components: { schemas: object }
}

async function served(): Promise<Description> {
  const response = await fetch(`${service.baseUrl}/ops/openapi.json`)
  expect(response.headers.get('content-type')).toContain('application/json')
  return (await response.json()) as Description
}

async function description(): Promise<Description> {
  return dereferenced(await served())
}

test('the service serves the checked-in OpenAPI document', async () => {
  expect(await served()).toEqual(JSON.parse(readFileSync('ops-openapi.json', 'utf8')))
})

test('every operation is described with its roles, bodies and refusals', async () => {
  const { paths, openapi, tags } = await description()
  expect(openapi).toMatch(/^3\.1\./)
  const described = Object.values(paths).flatMap((path) => Object.values(path))
  expect(described.map(({ operationId }) => operationId).toSorted()).toEqual(operatorOperationNames.toSorted())
  for (const name of operatorOperationNames) {
    const operation: OperatorOperation = operatorOperations[name]
    const { path, method, success, summary, right, tag } = operation
    const found = paths[path]?.[method.toLowerCase()] as Described
    expect(found, name).toMatchObject({ summary, tags: [tag] })
    expect(tags.map((each) => each.name)).toContain(tag)
    for (const role of rights[right]) expect(found.description, name).toContain(role)
    expect(found.responses[success.status]?.content, name).toBeDefined()
    for (const code of operatorRefusalsOf(operation)) {
      expect(found.responses[refusals[code].status]?.description, `${name} ${code}`).toContain(`\`${code}\``)
    }
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => param)
    const params = found.parameters.filter((parameter) => parameter.in === 'path')
    expect(params.map((parameter) => parameter.name).toSorted(), name).toEqual(inPath.toSorted())
    for (const parameter of params) expect(parameter.example, `${name} ${parameter.name}`).toBeTruthy()
  }
})

test('every write except imports, messages and what only reads is described with an idempotency key and its refusals', async () => {
  const { paths } = await description()
  for (const name of operatorOperationNames) {
    const operation: OperatorOperation = operatorOperations[name]
    const found = paths[operation.path]?.[operation.method.toLowerCase()] as Described
    const isWrite = operation.method !== 'GET' && !operation.readsOnly
    const takesKey = isWrite && operation.accepts !== 'lines' && operation.accepts !== 'message'
    const headers = found.parameters.filter((parameter) => parameter.in === 'header')
    expect(
      headers.some((header) => header.name === 'Idempotency-Key'),
      name,
    ).toBe(takesKey)
    const refusesReuse = Object.values(found.responses).some((response) =>
      response.description.includes('`idempotency_key_reused`'),
    )
    expect(refusesReuse, name).toBe(takesKey)
  }
})

test('docs/operator-interface.md names every read that has no `as_of`', () => {
  const without = operatorOperationNames.filter((name) => {
    const { method, query }: OperatorOperation = operatorOperations[name]
    return method === 'GET' && query?.properties.as_of === undefined
  })
  const named = {
    accounts: ['getAccount', 'listAccounts', 'getOperator'],
    keys: ['listKeys'],
    histories: ['getHistory', 'getTrackingHistory'],
    'audit logs': ['listAccountAudit', 'exportAccountAudit', 'listForwarderAudit', 'exportForwarderAudit'],
    people: ['listAccountPeople', 'listStaff'],
    senders: ['listSenders'],
    columns: ['getSenderColumns'],
    messages: ['listMessages', 'getMessage', 'getMessageContent', 'getAcknowledgement'],
    codes: ['listCodes'],
    branding: ['getBranding'],
    mails: ['listMails'],
    feeds: ['listFeeds', 'getFeed'],
    lookups: ['lookUpReference'],
    'inbound lists': ['listInbound'],
    delays: ['simulateDelay'],
    PDFs: ['getInvoicePdf', 'getAccountStatement'],
    'settings of billing': ['getBillingSettings', 'getAccountBilling', 'listChargeTemplates'],
    'checks of invoices': ['checkInvoice'],
    'lists of billing over all accounts': ['findInvoices', 'listUnbilled', 'listReceivables'],
    'checklists of documents': ['getChecklist', 'findNeededDocuments'],
    'proposals of documents': ['listDocumentProposals', 'getProposalContent'],
    'conversations with customers': ['listConversations', 'listCustomerMessages'],
    'links of suppliers': ['listSupplierLinks'],
    'exception rules': ['getExceptionRules', 'getAccountExceptionRules'],
    'list of exceptions over all accounts': ['listExceptions'],
    'counts of work': ['countWork'],
    'handled work': ['listWorkItems'],
    'list of shipments over all accounts': ['findShipments'],
    'open orders': ['findOpenOrders'],
    'order lines of a shipment': ['listOrderLines'],
    'who is present at a shipment': ['getPresence'],
    'change feed': ['listEvents'],
    webhooks: ['listWebhooks', 'listWebhookDeliveries'],
  }
  expect(without.toSorted()).toEqual(Object.values(named).flat().toSorted())
  const [paragraph = ''] = /`as_of=<time>`.*?\n\n/s.exec(readFileSync('docs/operator-interface.md', 'utf8')) ?? []
  for (const word of Object.keys(named)) expect(paragraph).toContain(word)
})

test('every body has an example in its media type', async () => {
  const { paths } = await description()
  for (const name of operatorOperationNames) {
    const operation: OperatorOperation = operatorOperations[name]
    const found = paths[operation.path]?.[operation.method.toLowerCase()] as Described
    const content = found.requestBody?.content ?? {}
    if (!operation.body && operation.accepts === undefined) {
      expect(content, name).toEqual({})
      continue
    }
    const other = { form: 'multipart/form-data', lines: 'application/x-ndjson', message: 'application/octet-stream' }
    const type = { ...other, json: 'application/json' }
    expect(Object.keys(content), name).toEqual([type[operation.accepts ?? 'json']])
    expect(Object.values(content)[0]?.example, name).toBeTruthy()
  }
})

test('files are described with their media types and without an ETag', async () => {
  const { paths } = await description()
  for (const [file, type] of [
    ['invoices/{reference}/pdf', 'application/pdf'],
    ['documents/{id}/content', '*/*'],
  ]) {
    const found = paths[`/ops/v1/accounts/{account}/${file}`]?.get as Described
    expect(Object.keys(found.responses[200]?.content ?? {})).toEqual([type])
    expect(found.responses[304]).toBeUndefined()
    expect(found.parameters.map(({ name }) => name)).not.toContain('If-None-Match')
  }
})

test('every schema of the OpenAPI document has exactly one name', async () => {
  const document = await served()
  const { components } = document
  const text = JSON.stringify(document)
  const used = new Set([...text.matchAll(/#\/components\/schemas\/([^"]*)/g)].map(([, name = '']) => name))
  expect([...used].toSorted()).toEqual(Object.keys(components.schemas).toSorted())
  for (const name of used) expect(name).toMatch(/^[A-Z]\w+$/)
})

test('every operator refusal has a page, and is declared by an operation', async () => {
  const declared = new Set(operatorOperationNames.flatMap((name) => operatorRefusalsOf(operatorOperations[name])))
  for (const code of Object.keys(operatorRefusals) as (keyof typeof operatorRefusals)[]) {
    expect(declared, code).toContain(code)
    const response = await fetch(`${service.baseUrl}/errors/${code}`)
    expect(response.status, code).toBe(200)
    expect(await response.text()).toContain(refusals[code].title)
  }
})

test('the reference page loads nothing from other hosts', async () => {
  const browser = await startBrowser()
  const page = await browser.newPage()
  const foreign: string[] = []
  const failures: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(service.baseUrl) && !/^(?:data|blob):/.test(url)) foreign.push(url)
  })
  page.on('pageerror', (error) => failures.push(error.message))
  await page.goto(`${service.baseUrl}/ops/docs`)
  await page.getByRole('heading', { name: 'Waybill: operator interface' }).waitFor()
  await page
    .getByRole('button', { name: /^Shipments/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Create a shipment' }).first().waitFor()
  expect(foreign).toEqual([])
  expect(failures).toEqual([])
})
