import { expect, test } from 'vitest'
import type { ClientInput } from '../../../src/client/client.js'
import type { PersonRole } from '../../../src/contract/portal/people.js'
import type { Problem } from '../../../src/contract/problem.js'
import type { OperationName, ResponseOf } from '../../../src/contract/public/operations.js'
import { newAccount } from '../../support/account.js'
import { newOperator } from '../../support/operator.js'
import { newPerson } from '../../support/person.js'
import { proposalForm } from '../../support/proposals.js'
import { binaryFiles } from '../../support/sample-files.js'
import { startService } from '../../support/service.js'

const service = await startService()

const svc_shipment_id = 'S-1'

/** A user with the calls of the public interface, as a key has them. */
async function newUser(account: { id: number }, role: PersonRole) {
  const person = await newPerson(service, account, role)
  async function call<Name extends OperationName>(name: Name, input: ClientInput<Name>) {
    const response = await person.v1(name, input)
    const json: unknown = JSON.parse(response.text)
    return { ...response, body: json as ResponseOf<Name>, problem: json as Problem }
  }
  return { ...person, call }
}

async function start() {
  const account = await newAccount(service)
  const operator = await newOperator(service, 'operations')
  const member = await newUser(account, 'member')
  const reader = await newUser(account, 'viewer')
  await account.forwarder.imports({ kind: 'shipment', data: { svc_shipment_id, status: 'booked' } })
  return { ...account, operator, ops: operator.ops, member, reader }
}

test('people of an account and the forwarder write to each other about a shipment, with mentions and files', async () => {
  const { slug, call, ops, member, reader } = await start()
  const uploaded = await member.call('uploadMessageFile', { body: proposalForm() })
  expect(uploaded.status).toBe(201)
  const { file_id, name, size } = uploaded.body
  const question = {
    svc_shipment_id,
    text: 'Is Thursday possible?\r\n\r\nThank you',
    mentions: [reader.person_id],
    files: [file_id],
  }
  const posted = await member.call('postMessage', { body: question })
  expect(posted.status).toBe(201)

  const waiting = await ops('listConversations', undefined, { query: { unanswered: 'true', account: slug } })
  expect(waiting.body.conversations).toMatchObject([
    { account: slug, svc_shipment_id, messages: 1, last_message: { files: 1, author: { side: 'account' } } },
  ])
  const read = await ops('listCustomerMessages', slug, { query: { svc_shipment_id } })
  expect(read.body.unanswered_since).toBeTruthy()
  const [message] = read.body.messages
  expect(message).toMatchObject({
    text: 'Is Thursday possible?\n\nThank you',
    author: { side: 'account', person_id: member.person_id },
    mentions: [{ person_id: reader.person_id, side: 'account' }],
    files: [{ file_id, name, size }],
  })
  expect(Buffer.from(await (await fetch(message?.files[0]?.link ?? '')).arrayBuffer())).toEqual(binaryFiles.pdf)

  expect((await reader.portal('getConversation', { query: { svc_shipment_id } })).body.unread).toBe(1)
  const before = await call('listMessages')
  const answer = await ops('postCustomerMessage', slug, { body: { svc_shipment_id, text: 'Yes.' } })
  expect(answer.status).toBe(201)
  const { body: conversation } = await reader.portal('getConversation', { query: { svc_shipment_id } })
  expect(conversation).toMatchObject({ unread: 2, has_more: false })
  expect(conversation.messages.map(({ text }) => text)).toEqual(['Yes.', message?.text])
  const { message_id } = answer.body
  const marked = await reader.portal('markConversationRead', { body: { svc_shipment_id, message_id } })
  expect(marked.body).toEqual({ unread: 0 })
  const now = await ops('listConversations', undefined, { query: { unanswered: 'true', account: slug } })
  expect(now.body.conversations).toEqual([])

  // The list has changed, so has its validator; and the change feed has both messages.
  const etag = before.headers.get('etag') ?? ''
  expect((await call('listMessages', { ifNoneMatch: etag })).body).toHaveLength(2)
  const { body: feed } = await call('listEvents', { query: { types: 'message.created', include: 'object' } })
  expect(feed.events.map(({ object }) => object.id)).toEqual([posted.body.message_id, message_id])
  expect(feed.events[0]?.state).toMatchObject({ text: message?.text, svc_shipment_id })
})

test('a conversation that needs no answer is settled until the customer writes again', async () => {
  const { slug, call, ops } = await start()
  const unanswered = async () => {
    const { body } = await ops('listConversations', undefined, { query: { unanswered: 'true', account: slug } })
    return body.conversations.length
  }
  await call('postMessage', { body: { svc_shipment_id, text: 'Thank you!' } })
  expect(await unanswered()).toBe(1)
  expect((await ops('settleConversation', slug, { body: { svc_shipment_id } })).body).toEqual({ settled: true })
  expect((await ops('settleConversation', slug, { body: { svc_shipment_id } })).body).toEqual({ settled: false })
  expect(await unanswered()).toBe(0)
  await call('postMessage', { body: { svc_shipment_id, text: 'One more thing' } })
  expect(await unanswered()).toBe(1)
})

test('conversations of all accounts are read page by page, those that wait longest first', async () => {
  const { slug, call, ops, forwarder } = await start()
  const numbers = ['PO-1', 'PO-2', 'PO/3']
  for (const reference of numbers) {
    await forwarder.imports({
      kind: 'purchase_order',
      data: { reference, product_lines: [{ reference: '1', ordered_quantity: 1, product: { sku: 'A' } }] },
    })
    await call('postMessage', { body: { po_number: reference, text: 'When?' } })
  }
  for (const [query, expected] of [
    [{ unanswered: 'true', account: slug, take: 1 } as const, numbers],
    [{ account: slug, take: 1 } as const, numbers.toReversed()],
  ] as const) {
    const seen: unknown[] = []
    let after: string | undefined
    do {
      const { body } = await ops('listConversations', undefined, {
        query: { ...query, ...(after !== undefined && { after }) },
      })
      seen.push(...body.conversations.map(({ po_number }) => po_number))
      after = body.next
    } while (after !== undefined)
    expect(seen).toEqual(expected)
  }
  // The last ones are no days of the calendar, or cannot be stored.
  const times = ['infinity', '2026-02-30 00:00:00.000000+00', '0000-01-01 00:00:00+00', '2026-01-01 24:00:00+00']
  const forged = [...times.map((at) => [at, slug, '', '']), ['2026-01-01 00:00:00+00', slug, '', '\ud800']]
  for (const after of ['x', ...forged.map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url'))])
    expect(await ops('listConversations', undefined, { query: { after } }), after).toBeRefused('invalid_request')
})

test('messages are refused that are blank, have control characters, are too long, or name what is not theirs', async () => {
  const { slug, call, ops, member, reader } = await start()
  const other = await start()
  const stranger = (await other.member.call('uploadMessageFile', { body: proposalForm() })).body.file_id
  const foreign = (await call('uploadMessageFile', { body: proposalForm() })).body.file_id
  const text = 'Hello'
  const faults: [object, string][] = [
    [{ svc_shipment_id, text: ' \n\t ' }, '/text'],
    [{ svc_shipment_id, text: 'a\u0007b' }, '/text'],
    [{ svc_shipment_id, text: 'a\u001b[31mb' }, '/text'],
    [{ svc_shipment_id, text: 'x'.repeat(10_001) }, '/text'],
    [{ text }, '/svc_shipment_id'],
    [{ text, svc_shipment_id, po_number: 'PO-1' }, '/po_number'],
    [{ text, svc_shipment_id, mentions: [other.member.person_id] }, '/mentions/0'],
    [{ text, svc_shipment_id, files: [stranger] }, '/files/0'],
    [{ text, svc_shipment_id, files: [foreign] }, '/files/0'],
    [{ text, svc_shipment_id, files: ['no uuid'] }, '/files/0'],
  ]
  for (const [body, pointer] of faults) {
    const response = await member.call('postMessage', { body: body as never })
    expect(response).toBeRefused('invalid_request')
    expect(response.problem.errors?.map((error) => error.pointer)).toContain(pointer)
  }
  expect(await member.call('postMessage', { body: { text, svc_shipment_id: 'S-2' } })).toBeRefused('shipment_not_found')
  expect(await reader.call('postMessage', { body: { text, svc_shipment_id } })).toBeRefused('insufficient_role')
  expect((await call('listMessages')).body).toEqual([])
  // A file is sent once.
  expect((await call('postMessage', { body: { text, svc_shipment_id, files: [foreign] } })).status).toBe(201)
  expect(await call('postMessage', { body: { text, svc_shipment_id, files: [foreign] } })).toBeRefused(
    'invalid_request',
  )
  const viewer = await newOperator(service, 'viewer')
  expect(await viewer.ops('postCustomerMessage', slug, { body: { text, svc_shipment_id } })).toBeRefused(
    'insufficient_role',
  )
  expect((await ops('listCustomerMessages', slug, { query: { svc_shipment_id } })).body.messages).toHaveLength(1)
})
