import { isResponse, jsonOf, textOf } from './exchange.js'
import type { AccountState } from './expected.js'
import type { World } from './world.js'

type Body = Record<string, unknown>

const whole: [kind: string, path: string, id: string][] = [
  ['purchase_order', '/v1/purchaseOrders', 'po_number'],
  ['location', '/v1/locations', 'id'],
  ['invoice', '/v1/invoices', 'reference'],
  ['document', '/v1/documents', 'id'],
  ['exception', '/v1/exceptions', 'exception_id'],
]

const paged: typeof whole = [
  ['shipment', '/v1/shipments', 'svc_shipment_id'],
  ['document_proposal', '/v1/documentProposals', 'id'],
  ['message', '/v1/messages', 'message_id'],
]

/** What all lists of an account show, by kind and identifier, without signed links: what a mirror of it has to be. */
export async function readAccountLists(
  { traffic, comparing }: World,
  { key, slug }: AccountState,
): Promise<Record<string, Record<string, Body>>> {
  async function get(path: string): Promise<{ status: number; body: unknown }> {
    const outcome = await traffic.send({ method: 'GET', path, key }, comparing.connections, slug)
    if (isResponse(outcome) && [200, 404].includes(outcome.status))
      return { status: outcome.status, body: jsonOf(outcome) }
    throw new Error(`${path}: ${isResponse(outcome) ? textOf(outcome) : outcome.code}`)
  }
  const lists: Record<string, Record<string, Body>> = {}
  const add = (kind: string, id: string, bodies: Body[]) => {
    const all = (lists[kind] ??= {})
    for (const body of bodies) all[String(body[id])] = withoutLinks(body)
  }
  for (const [kind, path, id] of whole) add(kind, id, (await get(path)).body as Body[])
  for (const [kind, path, id] of paged) {
    for (let skip = 0; ; skip += 100) {
      const { status, body } = await get(`${path}?take=100&skip=${skip}`)
      add(kind, id, status === 200 ? (body as Body[]) : [])
      if (status === 404 || (body as Body[]).length < 100) break
    }
  }
  lists.tracking = {}
  for (const id of Object.keys(lists.shipment ?? {})) {
    const { status, body } = await get(`/v1/tracking/${encodeURIComponent(id)}`)
    if (status === 200) lists.tracking[id] = body as Body
  }
  return lists
}

function withoutLinks({ link: _link, ...body }: Body): Body {
  return Array.isArray(body.files) ? { ...body, files: (body.files as Body[]).map(withoutLinks) } : body
}
