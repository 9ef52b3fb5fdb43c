/**
 * Keeps a copy of an account in a file: all lists once, then the change feed.
 *
 *   WAYBILL_KEY=wb_... npx tsx mirror.ts https://waybill.example.com mirror.json [--once]
 *
 * It can be stopped at any time: the file holds the resources together with the cursor up to which they are known.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

type Body = Record<string, unknown>
type Mirror = { cursor: string; resources: Record<string, Record<string, Body>> }
type Event = { object: { kind: string; id: string }; what: string; state?: Body }

const [base = '', file = '', mode] = process.argv.slice(2)
const headers = { authorization: `Bearer ${process.env.WAYBILL_KEY}` }

async function get(path: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(base + path, { headers })
  if (response.ok || [404, 410].includes(response.status))
    return { status: response.status, body: await response.json() }
  throw new Error(`${path}: ${response.status} ${await response.text()}`)
}

/** Reads a list page by page; the list of shipments ends with 404. */
async function list(path: string): Promise<Body[]> {
  const all: Body[] = []
  for (;;) {
    const { status, body } = await get(`${path}?take=100&skip=${all.length}`)
    if (status === 404 || (body as Body[]).length === 0) return all
    all.push(...(body as Body[]))
  }
}

function save(mirror: Mirror): void {
  writeFileSync(`${file}.new`, JSON.stringify(mirror))
  renameSync(`${file}.new`, file)
}

/** Links to documents and files are signed anew in each response. */
function withoutLink({ link: _link, ...body }: Body): Body {
  return Array.isArray(body.files) ? { ...body, files: (body.files as Body[]).map(withoutLink) } : body
}

const lists: [kind: string, path: string, id: string][] = [
  ['shipment', '/v1/shipments', 'svc_shipment_id'],
  ['purchase_order', '/v1/purchaseOrders', 'po_number'],
  ['location', '/v1/locations', 'id'],
  ['invoice', '/v1/invoices', 'reference'],
  ['document', '/v1/documents', 'id'],
  ['document_proposal', '/v1/documentProposals', 'id'],
  ['message', '/v1/messages', 'message_id'],
  ['exception', '/v1/exceptions', 'exception_id'],
]

/** The cursor comes first: what changes while the lists are read is read again from the feed. */
async function start(): Promise<Mirror> {
  const { cursor } = (await get('/v1/events?after=now')).body as { cursor: string }
  const mirror: Mirror = { cursor, resources: { tracking: {} } }
  for (const [kind, path, id] of lists) {
    // These lists have no removals, or are returned whole: paging by `skip` would miss what moves up.
    const isPaged = ['shipment', 'document_proposal', 'message'].includes(kind)
    const bodies = isPaged ? await list(path) : ((await get(path)).body as Body[])
    mirror.resources[kind] = Object.fromEntries(bodies.map((body) => [String(body[id]), withoutLink(body)]))
  }
  for (const id of Object.keys(mirror.resources.shipment ?? {})) {
    const { status, body } = await get(`/v1/tracking/${encodeURIComponent(id)}`)
    if (status === 200) (mirror.resources.tracking as Record<string, Body>)[id] = body as Body
  }
  save(mirror)
  return mirror
}

function apply({ resources }: Mirror, { object: { kind, id }, what, state }: Event): void {
  const ofKind = resources[kind]
  // Other kinds, such as webhooks, have events only.
  if (!ofKind) return
  if (what === 'removed' || !state) delete ofKind[id]
  else ofKind[id] = withoutLink(state)
}

let mirror = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Mirror) : await start()
for (;;) {
  const wait = mode === '--once' ? 0 : 30
  const { status, body } = await get(`/v1/events?include=object&wait=${wait}&after=${mirror.cursor}`)
  if (status === 410) {
    mirror = await start()
    continue
  }
  const { events, cursor, has_more } = body as { events: Event[]; cursor: string; has_more: boolean }
  for (const event of events) apply(mirror, event)
  mirror.cursor = cursor
  save(mirror)
  if (mode === '--once' && !has_more) break
}
