import { createReadStream } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportTo } from '../../src/cli/commands/export.js'
import type { ImportLine } from '../../src/contract/import-line.js'
import { importLines } from '../../src/ingest/lines/import.js'
import { notifyRound } from '../../src/usecases/notifications/run-notifications.js'
import { line, newAccount } from '../support/account.js'
import { evaluate } from '../support/exceptions.js'
import { newOperator } from '../support/operator.js'
import { newPerson } from '../support/person.js'
import { proposalForm } from '../support/proposals.js'
import { accountOf, bytesOf, importInto, startRoundTrip } from '../support/round-trip.js'
import { binaryFiles } from '../support/sample-files.js'

/** What people wrote, proposed and decided leaves with the account and arrives with it. */

const { before, after, folder, expectSameResponses } = await startRoundTrip()
const svc_shipment_id = 'S-1'

type MessageLine = Extract<ImportLine, { kind: 'message' }>

/** An account with two conversations, a proposal and an exception that somebody looks after. */
async function start() {
  const account = await newAccount(before)
  const { ops } = await newOperator(before, 'operations')
  const { slug, call, forwarder } = account
  await forwarder.imports({
    kind: 'shipment',
    data: { svc_shipment_id, status: 'booked', desired_delivery_date: '2026-02-01' },
  })
  await call('createPurchaseOrder', { body: { reference: 'PO1', product_lines: [line()] } })
  const { body: file } = await call('uploadMessageFile', { body: proposalForm() })
  const files = [file.file_id]
  await call('postMessage', { body: { svc_shipment_id, text: 'Is Thursday\npossible?', files } })
  await ops('postCustomerMessage', slug, { body: { svc_shipment_id, text: 'Yes.' } })
  await call('postMessage', { body: { svc_shipment_id, text: 'And Friday?' } })
  await call('postMessage', { body: { svc_shipment_id, text: 'Or Saturday?' } })
  await ops('postCustomerMessage', slug, { body: { po_number: 'PO1', text: 'Received.' } })
  await call('uploadMessageFile', { body: proposalForm() })
  await call('proposeDocument', { body: proposalForm({ svc_shipment_id, note: 'Two pages' }) })
  await evaluate(before, account.id, '2026-03-04T00:00:00Z')
  const { body } = await ops('listExceptions', undefined, { query: { account: slug } })
  const exception_id = String(body.exceptions[0]?.id)
  await ops('actOnException', slug, { params: { exception_id }, body: { action: 'note', note: 'The port is closed.' } })
  return { ...account, ops, exception_id }
}

test('conversations with their files, proposals and exceptions with their notes come back the same', async () => {
  const { slug, ops, exception_id } = await start()
  await expectSameResponses([slug], 8)

  const there = (await newOperator(after, 'operations')).ops
  const conversations = async (of: typeof ops) => {
    const { body } = await of('listConversations', undefined, { query: { account: slug } })
    return body.conversations.map(({ messages, unanswered_since, last_message }) => ({
      messages,
      unanswered_since: unanswered_since?.slice(0, 23),
      last_message,
    }))
  }
  expect(await conversations(there)).toEqual(await conversations(ops))
  const read = await there('listCustomerMessages', slug, { query: { svc_shipment_id } })
  const [file] = read.body.messages.flatMap(({ files }) => files)
  expect(Buffer.from(await (await fetch(file?.link ?? '')).arrayBuffer())).toEqual(binaryFiles.pdf)
  const exception = (await there('getException', slug, { params: { exception_id } })).body
  expect(exception.record.notes).toMatchObject([{ text: 'The port is closed.' }])

  // Nobody is notified of it again, and the same export changes nothing.
  const { account } = await accountOf(after, slug)
  const reader = await newPerson(after, { id: account })
  await reader.portal('createSubscription', {
    body: { scope: 'all', exceptions: [], changes: ['message.created'], delivery: 'at_once' },
  })
  const again = await mkdtemp(join(folder, 'again-'))
  await exportTo(again, after.db, after.files, await accountOf(after, slug))
  for (const service of [before, after]) {
    const { summary } = await importInto(service, createReadStream(join(again, 'lines.ndjson')), again)
    for (const tally of Object.values(summary.kinds)) expect(tally).toMatchObject({ created: 0, updated: 0 })
    expect(summary.kinds).toMatchObject({
      message: { unchanged: 5 },
      message_file: { unchanged: 1 },
      document_proposal: { unchanged: 1 },
    })
  }
  const sent = { message_id: 'msg_old', sent_at: '2026-01-02T10:00:00Z', text: 'Hello', mentions: [], files: [] }
  const old = { ...sent, svc_shipment_id, author: { side: 'forwarder', name: 'Marta' } } as const
  await importInto(after, bytesOf([{ kind: 'message', account: slug, data: old }]), folder)
  while (await notifyRound(after.db, Date.now(), { mail: undefined })) continue
  expect((await reader.portal('listNotifications', { query: {} })).body.notifications).toEqual([])
  expect((await conversations(there)).map(({ messages }) => messages).toSorted((one, other) => one - other)).toEqual([
    1, 5,
  ])
})

test('messages that were changed, and those without their order, files or message, are rejected', async () => {
  const { slug, call } = await newAccount(before)
  await call('createPurchaseOrder', { body: { reference: 'PO1', product_lines: [line()] } })
  const base = { sent_at: '2026-01-02T10:00:00Z', text: 'Hello', mentions: [], files: [] }
  const author = { side: 'account', name: 'Kim' } as const
  const message = (data: Partial<MessageLine['data']> & { message_id: string }): ImportLine => ({
    kind: 'message',
    account: slug,
    data: { ...base, author, ...data },
  })
  await importInto(before, bytesOf([message({ message_id: 'm1', po_number: 'PO1' })]), folder)
  const file = { file_id: '5d7a5b5e-8f5c-4a39-9d52-0b5f3c0a7f11', name: 'a.pdf', author: 'key:k' }
  const faults: string[] = []
  const { kept } = await importLines(
    before,
    bytesOf([
      message({ message_id: 'm1', po_number: 'PO1', text: 'Changed' }),
      message({ message_id: 'm2', po_number: 'PO2' }),
      message({ message_id: 'm3', po_number: 'PO1', files: [{ file_id: file.file_id, name: 'a.pdf', size: 1 }] }),
      message({ message_id: 'm4' }),
      {
        kind: 'message_file',
        account: slug,
        data: { ...file, uploaded_at: '2026-01-02T10:00:00Z', message_id: 'm9', content_base64: 'QQ==' },
      },
    ]),
    {
      folder,
      skipInvalid: false,
      author: 'test',
      onFault: (fault) => faults.push(`${fault.line} ${fault.pointer}`),
    },
  )
  expect(kept).toBe(false)
  expect(faults.toSorted()).toEqual(['1 /data', '2 /data/po_number', '3 /data/files', '4 /data', '5 /data/message_id'])
})
