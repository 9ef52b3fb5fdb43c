import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newAccount } from '../../support/account.js'
import { newOperator } from '../../support/operator.js'
import { proposalForm } from '../../support/proposals.js'
import { binaryFiles, rejectedFiles } from '../../support/sample-files.js'
import { startService } from '../../support/service.js'

const service = await startService()

async function start() {
  const account = await newAccount(service)
  const operator = await newOperator(service, 'operations')
  await account.forwarder.imports({ kind: 'shipment', data: { svc_shipment_id: 'S-1', status: 'booked' } })
  const { slug, call } = account
  const propose = (fields: Record<string, string> = {}, file?: { name: string; bytes: Buffer }) =>
    call('proposeDocument', { body: proposalForm(fields, file) })
  return { ...account, ...operator, slug, propose }
}

async function storedFiles(): Promise<string[]> {
  const names = await readdir(join(service.dataFolder, 'documents'), { recursive: true }).catch(() => [])
  return names.filter((name) => /[\da-f]{64}$/.test(name)).toSorted()
}

test('a proposed document is no document until it is accepted, and then one with the corrections of the forwarder', async () => {
  const { slug, call, ops, propose, key } = await start()
  const proposed = await propose({ svc_shipment_id: 'S-1', note: 'Two pages' })
  expect(proposed.body).toMatchObject({ state: 'proposed', origin: 'account', type: null, note: 'Two pages' })
  expect((await call('listDocuments')).body).toEqual([])
  const before = await call('listDocumentProposals', { query: { state: 'proposed' } })
  expect(before.body).toEqual([proposed.body])

  const { id } = proposed.body
  const listed = await ops('listDocumentProposals', undefined, { query: { account: slug } })
  expect(listed.body.proposals).toMatchObject([{ account: slug, proposal: { id } }])
  const content = await fetch(`${service.baseUrl}/ops/v1/accounts/${slug}/documentProposals/${id}/content`, {
    headers: { authorization: `Bearer ${key}` },
  })
  expect(Buffer.from(await content.arrayBuffer())).toEqual(binaryFiles.pdf)

  const body = { type: 'packing_list', name: 'List 1.pdf' } as const
  const accepted = await ops('acceptProposal', slug, { params: { id }, body })
  expect(accepted.body.proposal).toMatchObject({ id, state: 'accepted' })
  const { document_id } = accepted.body.proposal
  const [document, ...more] = (await call('listDocuments', { query: { svc_shipment_id: 'S-1' } })).body
  expect(more).toEqual([])
  expect(document).toMatchObject({ id: document_id, ...body, svc_shipment_id: 'S-1' })
  expect(Buffer.from(await (await fetch(document?.link ?? '')).arrayBuffer())).toEqual(binaryFiles.pdf)
  // The list has changed, so has its validator.
  const etag = before.headers.get('etag') ?? ''
  expect((await call('listDocumentProposals', { query: { state: 'proposed' }, ifNoneMatch: etag })).body).toEqual([])
  expect(await ops('returnProposal', slug, { params: { id }, body: { reason: 'no' } })).toBeRefused('proposal_decided')
  const history = await ops('getHistory', slug, { params: { kind: 'document_proposal', id } })
  expect(history.body.map(({ what }) => what).toSorted()).toEqual(['created', 'updated'])
})

test('two operators who accept at once make one document, and the content is counted once', async () => {
  const { slug, id: account, call, ops, propose } = await start()
  const other = await newOperator(service, 'operations')
  const { id } = (await propose()).body
  const both = await Promise.all(
    [ops, other.ops].map((each) => each('acceptProposal', slug, { params: { id }, body: {} })),
  )
  expect(new Set(both.map(({ body }) => body.proposal.document_id)).size).toBe(1)
  expect((await call('listDocuments')).body).toHaveLength(1)
  const [row] = await service.db<{ stored: number; records: number }[]>`
    select stored_bytes as stored, (select sum(octet_length(record)) from changes where changes.account_id = accounts.account_id and kind in ('shipment', 'document', 'document_proposal')) as records
    from accounts where account_id = ${account}`
  expect(Number(row?.stored) - Number(row?.records)).toBe((binaryFiles.pdf as Buffer).length)
})

test('a returned proposal shows its reason, stays no document, and cannot be accepted', async () => {
  const { slug, call, ops, propose } = await start()
  const { id } = (await propose()).body
  const reason = 'The second page is missing'
  expect((await ops('returnProposal', slug, { params: { id }, body: { reason } })).status).toBe(200)
  expect((await call('listDocumentProposals')).body).toMatchObject([{ id, state: 'returned', reason }])
  expect(await ops('acceptProposal', slug, { params: { id }, body: {} })).toBeRefused('proposal_decided')
  expect((await call('listDocuments')).body).toEqual([])
})

test('files that operators could not upload are refused as proposals, and leave nothing behind', async () => {
  const { call, propose } = await start()
  const before = await storedFiles()
  const program = { name: 'list.pdf', bytes: rejectedFiles.exe as Buffer }
  expect(await propose({}, program)).toBeRefused('file_not_accepted')
  const large = { name: 'list.pdf', bytes: Buffer.concat([binaryFiles.pdf as Buffer, Buffer.alloc(25 * 1024 * 1024)]) }
  expect(await propose({}, large)).toBeRefused('payload_too_large')
  expect(await propose({ svc_shipment_id: 'S-2' })).toBeRefused('invalid_request')
  expect((await call('listDocumentProposals')).body).toEqual([])
  expect(await storedFiles()).toEqual(before)
})

test('proposals count for the quota of the account', async () => {
  const { slug, propose, call } = await start()
  const admin = await newOperator(service, 'admin')
  expect((await admin.ops('updateAccount', slug, { body: { quotas: { stored_bytes: 2000 } } })).status).toBe(200)
  const bytes = Buffer.concat([binaryFiles.pdf as Buffer, Buffer.alloc(3000, 'x')])
  const before = await storedFiles()
  expect(await propose({}, { name: 'list.pdf', bytes })).toBeRefused('quota_exceeded')
  expect((await call('listDocumentProposals')).body).toEqual([])
  expect(await storedFiles()).toEqual(before)
})

test('a retry with the same key proposes once; another account sees and decides nothing', async () => {
  const { slug, call, ops } = await start()
  const stranger = await start()
  const send = () => call('proposeDocument', { body: proposalForm(), idempotencyKey: 'once' })
  const { id } = (await send()).body
  expect((await send()).body.id).toBe(id)
  expect((await call('listDocumentProposals')).body).toHaveLength(1)
  expect((await stranger.call('listDocumentProposals')).body).toEqual([])
  expect(await ops('acceptProposal', stranger.slug, { params: { id }, body: {} })).toBeRefused('proposal_not_found')
  const reader = await newAccount(service, { scopes: ['read', 'orders:write'] })
  expect(await reader.call('proposeDocument', { body: proposalForm() })).toBeRefused('insufficient_scope')
  expect((await ops('acceptProposal', slug, { params: { id }, body: {} })).status).toBe(200)
})

test('a checklist follows the stage of the shipment, its documents and waivers', async () => {
  const { slug, ops, forwarder } = await start()
  await forwarder.imports(
    { kind: 'shipment', data: { svc_shipment_id: 'S-2', status: 'in_progress', freight_mode: 'ocean' } },
    {
      kind: 'tracking',
      data: {
        svc_shipment_id: 'S-2',
        tracking_steps: [
          {
            type: 'origin_port',
            events: [{ description: 'Vessel departed', date: '2026-01-05T10:00:00+08:00', status: 'actual' }],
          },
        ],
      },
    },
    {
      kind: 'document',
      data: {
        id: '5d1f0a3c-7f0e-4a64-8a53-0b6c1d2e3f99',
        name: 'a.txt',
        type: 'packing_list',
        svc_shipment_id: 'S-2',
        content_base64: 'YQ==',
      },
    },
  )
  const params = { svc_shipment_id: 'S-2' }
  const missing = (documents: { type: string; is_required: boolean; present: boolean; waived: boolean }[]) =>
    documents.filter((each) => each.is_required && !each.present && !each.waived).map(({ type }) => type)
  expect(missing((await ops('getChecklist', slug, { params })).body.documents)).toEqual([
    'commercial_invoice',
    'bill_of_lading',
  ])
  const body = { type: 'bill_of_lading', reason: 'Sea waybill' } as const
  expect(missing((await ops('waiveDocument', slug, { params, body })).body.documents)).toEqual(['commercial_invoice'])
  const again = await ops('requireDocument', slug, { params: { ...params, type: 'bill_of_lading' } })
  expect(missing(again.body.documents)).toHaveLength(2)
})
