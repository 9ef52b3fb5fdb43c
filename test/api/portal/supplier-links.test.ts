import { expect, test } from 'vitest'
import { newAccount } from '../../support/account.js'
import { newOperator } from '../../support/operator.js'
import { newEmail, newPerson } from '../../support/person.js'
import { proposalForm } from '../../support/proposals.js'
import { rejectedFiles } from '../../support/sample-files.js'
import { startService } from '../../support/service.js'

const service = await startService()
const { baseUrl, db } = service
const path = `${baseUrl}/portal/v1/supplier-upload`

async function start() {
  const account = await newAccount(service)
  const route = { origin_port_unlocode: 'CN/SHA', destination_port_unlocode: 'FR/LEH' }
  await account.forwarder.imports({
    kind: 'shipment',
    data: {
      svc_shipment_id: 'S-1',
      name: 'Lamps',
      status: 'booked',
      freight_mode: 'ocean',
      route,
      specific_instructions: 'A secret',
    },
  })
  const person = await newPerson(service, account, 'member')
  const body = { svc_shipment_id: 'S-1', supplier: 'Ningbo Lantern Works' }
  const invite = async (more: object = {}) => {
    const { body: created } = await person.portal('createSupplierLink', { body: { ...body, ...more } })
    return { ...created, token: new URL(created.url).hash.slice(1) }
  }
  return { ...account, person, invite }
}

async function open(token: string) {
  const response = await fetch(path, { headers: { 'x-supplier-link': token } })
  return { status: response.status, text: await response.text() }
}

async function upload(token: string, form = proposalForm(), origin = baseUrl) {
  const headers = { 'x-supplier-link': token, origin }
  const response = await fetch(path, { method: 'POST', headers, body: form })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

test('a supplier uploads by a link, and the forwarder makes a document of it', async () => {
  const { slug, call, person, invite } = await start()
  const { token, link, url, mailed } = await invite()
  expect(url).toBe(`${baseUrl}/supply#${token}`)
  expect(mailed).toBe(false)
  const seen = JSON.parse((await open(token)).text) as Record<string, unknown>
  expect(seen).toEqual({
    forwarder: 'Waybill',
    supplier: 'Ningbo Lantern Works',
    expires_at: link.expires_at,
    shipment_name: 'Lamps',
    origin: 'Shanghai',
    destination: 'Le Havre',
    wanted: ['commercial_invoice', 'packing_list'],
    uploads: [],
  })

  const sent = await upload(token, proposalForm({ type: 'packing_list' }))
  expect([sent.status, sent.body.uploads]).toMatchObject([201, [{ state: 'proposed', type: 'packing_list' }]])
  // Sent again after a lost response: there is one proposal.
  await upload(token, proposalForm({ type: 'packing_list' }))
  expect((await call('listDocuments')).body).toEqual([])
  const [proposal, ...more] = (await call('listDocumentProposals')).body
  expect(more).toEqual([])
  expect(proposal).toMatchObject({ origin: 'supplier', supplier: 'Ningbo Lantern Works', svc_shipment_id: 'S-1' })

  const { ops } = await newOperator(service, 'operations')
  await ops('acceptProposal', slug, { params: { id: proposal?.id ?? '' }, body: {} })
  expect((await call('listDocuments', { query: { svc_shipment_id: 'S-1' } })).body).toMatchObject([
    { type: 'packing_list' },
  ])
  const after = JSON.parse((await open(token)).text) as Record<string, unknown>
  expect(after).toMatchObject({ wanted: ['commercial_invoice'], uploads: [{ state: 'accepted' }] })

  expect((await person.portal('listSupplierLinks', { query: { svc_shipment_id: 'S-1' } })).body).toMatchObject([
    { link_id: link.link_id, uploads: 1 },
  ])
  const acts = await db<{ action: string; actor: string }[]>`
    select action, actor from audit_log join accounts using (account_id)
    where slug = ${slug} and kind = 'proposal' order by at`
  expect(acts.map(({ action }) => action)).toEqual(['supplier_invited', 'supplier_link_opened', 'document_proposed'])
  expect(acts[2]?.actor).toBe(`supplier:${link.link_id}`)
})

test('a returned document is shown with its reason to the supplier who sent it, and to no other', async () => {
  const { slug, call, invite } = await start()
  const [one, other] = [await invite(), await invite({ supplier: 'Other' })]
  await upload(one.token)
  const [proposal] = (await call('listDocumentProposals')).body
  const { ops } = await newOperator(service, 'operations')
  await ops('returnProposal', slug, { params: { id: proposal?.id ?? '' }, body: { reason: 'Page 2 is missing' } })
  expect((await open(one.token)).text).toContain('Page 2 is missing')
  expect((await open(other.token)).text).toContain('"uploads":[]')
})

test('a link that was revoked, has expired or is guessed shows nothing and takes nothing, at once', async () => {
  const { call, person, invite, id } = await start()
  const [revoked, expired] = [await invite(), await invite()]
  await person.portal('revokeSupplierLink', { params: { link_id: revoked.link.link_id } })
  await db`update supplier_links set expires_at = now() where account_id = ${id} and link_id = ${expired.link.link_id}`
  for (const token of [revoked.token, expired.token, 'x'.repeat(32), '']) {
    const shown = await open(token)
    expect([shown.status, shown.text]).toEqual([404, expect.stringContaining('supplier_link_not_valid')])
    expect((await upload(token)).body).toMatchObject({ code: 'supplier_link_not_valid' })
  }
  expect((await call('listDocumentProposals')).body).toEqual([])
})

test('hostile files, foreign pages and viewers are refused', async () => {
  const { id, call, invite } = await start()
  const { token } = await invite()
  const program = proposalForm({}, { name: 'list.pdf', bytes: rejectedFiles.exe as Buffer })
  expect((await upload(token, program)).body).toMatchObject({ code: 'file_not_accepted' })
  expect((await upload(token, proposalForm({ svc_shipment_id: 'S-1' }))).body).toMatchObject({
    code: 'invalid_request',
  })
  expect((await upload(token, proposalForm(), 'https://evil.example')).body).toMatchObject({ code: 'foreign_origin' })
  const large = { name: 'a.pdf', bytes: Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(25 * 1024 * 1024)]) }
  expect((await upload(token, proposalForm({}, large))).body).toMatchObject({ code: 'payload_too_large' })
  expect((await call('listDocumentProposals')).body).toEqual([])
  const viewer = await newPerson(service, { id }, 'viewer')
  const body = { svc_shipment_id: 'S-1', supplier: 'X' }
  expect(await viewer.portal('createSupplierLink', { body })).toBeRefused('insufficient_role')
})

test('a supplier is mailed five times, however the address is spelled', async () => {
  const { person } = await start()
  const name = newEmail()
  // Full-width letters are the same address.
  const spellings = [name, name.toUpperCase(), name.replace('person', 'ｐｅｒｓｏｎ')]
  const mail = (at: number) =>
    person.portal('createSupplierLink', {
      body: { svc_shipment_id: 'S-1', supplier: 'Works', email: spellings[at % spellings.length] as string },
    })
  const statuses: number[] = []
  for (let at = 0; at < 6; at += 1) statuses.push((await mail(at)).status)
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429])
})

test('operators create and revoke links; the token is stored as a hash only, and the page is not indexed', async () => {
  const { slug } = await start()
  const { ops } = await newOperator(service, 'operations')
  const created = await ops('createSupplierLink', slug, { body: { svc_shipment_id: 'S-1', supplier: 'Works' } })
  const token = new URL(created.body.url).hash.slice(1)
  expect((await open(token)).status).toBe(200)
  const { link_id } = created.body.link
  const [row] = await db<{ text: string }[]>`
    select supplier_links::text || coalesce((select string_agg(changes::text, ' ') from changes where id = ${link_id}), '') as text
    from supplier_links where link_id = ${link_id}`
  expect(row?.text).not.toContain(token)
  expect((await ops('revokeSupplierLink', slug, { params: { link_id } })).body.revoked_at).toBeDefined()
  expect((await open(token)).status).toBe(404)
  const page = await fetch(`${baseUrl}/supply`)
  expect([200, 503]).toContain(page.status)
  if (page.ok) expect(page.headers.get('x-robots-tag')).toBe('noindex')
})
