import type { Example } from '../../src/contract/openapi.js'
import { operatorExamples } from '../../src/contract/operator/examples.js'
import type { OperatorOperation } from '../../src/contract/operator/operation.js'
import { type OperatorOperationName, operatorOperations } from '../../src/contract/operator/operations.js'
import { proposalForm } from './proposals.js'
import { binaryFiles } from './sample-files.js'

/** Sends the examples as JSON, forms or lines. They depend on each other, in this order. */

export const exampleNames = Object.keys(operatorExamples) as OperatorOperationName[]

/** Those that succeed on a new service: a reply by mail needs an address of a mail that was sent. */
export const sentExamples = exampleNames.filter((name) => name !== 'receiveMail')

type Sending = { baseUrl: string; key?: string | undefined; headers?: Record<string, string> }

/** Sends an example; given params override its own. */
export async function sendExample(
  { baseUrl, key, headers }: Sending,
  name: OperatorOperationName,
  params: Record<string, string> = {},
): Promise<Response> {
  const operation: OperatorOperation = operatorOperations[name]
  const example: Example = operatorExamples[name]
  if (name === 'listDocumentProposals' && params.key !== undefined) await proposeDocuments(baseUrl, params.key)
  if (name === 'listWebhooks' && params.key !== undefined) await createWebhook(baseUrl, params.key)
  if ((name === 'applyPayment' || name === 'refundPayment') && params.key !== undefined && key !== undefined)
    await payTooMuch(baseUrl, key, params.account)
  const given: Record<string, string> = { ...example.params, ...params }
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, each: string) => encodeURIComponent(given[each] ?? ''))
  const query = queryOf(example).replace('account=nordlicht', `account=${params.account ?? 'nordlicht'}`)
  const { body, type } = bodyOf(name, example, params.account)
  return fetch(`${baseUrl}${path}${query && `?${query}`}`, {
    method: operation.method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(type !== undefined && { 'content-type': type }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  })
}

/** The documents that the examples accept and return: customers propose them. */
async function proposeDocuments(baseUrl: string, key: string): Promise<void> {
  for (const name of ['acceptProposal', 'returnProposal'] as const) {
    const { params }: Example = operatorExamples[name]
    const body = proposalForm({ id: params?.id ?? '' })
    await fetch(`${baseUrl}/v1/documentProposals`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body,
    })
  }
}

/** The payment of which a part is applied to another invoice. */
async function payTooMuch(baseUrl: string, key: string, account = 'nordlicht'): Promise<void> {
  const post = (path: string, body: object) =>
    fetch(`${baseUrl}/ops/v1/accounts/${account}/invoices${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  for (const reference of ['INV-4T7RWP', 'INV-9C2HVM']) {
    await post('', { reference, lines: [{ description: 'Customs', price: { amount: 100, currency: 'EUR' } }] })
    await post(`/${reference}/issue`, {})
  }
  const paid = { payment_id: 'SEPA-99412', amount: 160, currency: 'EUR', paid_on: '2026-04-15' }
  await post('/INV-4T7RWP/payments', { ...paid, excess: 'keep_unapplied' })
}

/** The endpoint that the examples disable and enable. */
async function createWebhook(baseUrl: string, key: string): Promise<void> {
  await fetch(`${baseUrl}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://hooks.invalid/' }),
  })
}

/** The identifiers that later examples need. */
export async function learnedFrom(name: OperatorOperationName, response: Response): Promise<Record<string, string>> {
  const fields: Partial<Record<OperatorOperationName, string>> = {
    createKey: 'key_id',
    inviteAccountPerson: 'person_id',
    inviteStaff: 'person_id',
    receiveMessage: 'message_id',
    createFeed: 'feed_id',
    createSupplierLink: 'link_id',
  }
  if (name === 'listWebhooks') {
    const [webhook] = (await response.clone().json()) as { webhook_id: string }[]
    return webhook ? { webhook_id: webhook.webhook_id } : {}
  }
  const field = fields[name]
  if (field === undefined) return {}
  const json = (await response.clone().json()) as Record<string, unknown>
  if (name === 'createSupplierLink') return { [field]: (json.link as { link_id: string }).link_id }
  return { [field]: String(json[field]), ...(name === 'createKey' && { key: String(json.key) }) }
}

export function queryOf({ query = {} }: Example): string {
  return new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
}

function bodyOf(
  name: OperatorOperationName,
  { body }: Example,
  account = 'nordlicht',
): { body?: string | FormData; type?: string } {
  const { accepts }: OperatorOperation = operatorOperations[name]
  if (body === undefined) return {}
  if (accepts === 'form') return { body: formOf(body as Record<string, string>) }
  // Import lines and account creation contain the account in the body.
  const named = (text: string) =>
    text.replaceAll('"nordlicht"', JSON.stringify(account)).replaceAll('@nordlicht.', `@${account}.`)
  if (accepts === 'message') return { body: body as string, type: 'application/json' }
  if (accepts === 'lines') return { body: named(body as string), type: 'application/x-ndjson' }
  return { body: named(JSON.stringify(body)), type: 'application/json' }
}

function formOf({ file, ...fields }: Record<string, string>): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  const name = /[\w-]+\.pdf/.exec(file ?? '')?.[0]
  form.set('file', new Blob([Uint8Array.from(binaryFiles.pdf as Buffer)]), name)
  return form
}
