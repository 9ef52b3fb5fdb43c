import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { importLines } from '../../../src/ingest/lines/import.js'
import { findAccount } from '../../../src/store/accounts.js'
import { issueKey } from '../../../src/usecases/accounts/create-key.js'
import { startService } from '../../support/service.js'

/** Tests the service against schemas, data and expectations written from the interface's documents alone. */

const folder = new URL('conformance/', import.meta.url)
const json = async (name: string) => JSON.parse(await readFile(new URL(name, folder), 'utf8')) as never

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, schemas: [await json('schemas.json')] })
const expected: Record<string, Expectation> = await json('expected.json')
const service = await startService()
const outcome = await importLines(service, createReadStream(new URL('import.ndjson', folder)), {
  folder: folder.pathname,
  skipInvalid: false,
  author: 'test',
  onFault: (fault) => expect.unreachable(JSON.stringify(fault)),
})

type Fields = Record<string, unknown>
type Expectation = {
  counts: Record<string, number>
  lists: Record<'shipments' | 'invoices' | 'documents', string[]>
  undated: Record<'shipments' | 'invoices' | 'documents', string[]>
  shipments: Record<string, Fields>
  purchase_orders: Record<string, Fields>
  locations: Record<string, { zip_code?: number | null; contact_phones: Record<string, number | null> }>
  documents: Record<string, { name: string; type: string | null; size: number; sha256: string }>
  documents_by_shipment: Record<string, string[]>
  invoice_lookup: Record<string, string>
  undetermined: { shipments: Record<string, Fields>; locations?: Record<string, Fields> }
  not_found_for_this_account: Record<string, (string | number)[]>
}

test('the conformance data is imported completely', () => {
  expect(outcome.kept).toBe(true)
  for (const [kind, tally] of Object.entries(outcome.summary.kinds)) {
    if (kind === 'account') continue
    const total = Object.values(expected).reduce((sum, { counts }) => sum + (counts[kind] ?? 0), 0)
    expect([kind, tally.created]).toEqual([kind, total])
  }
})

describe.each(Object.entries(expected))('account %s', async (slug, expectation) => {
  const { key } = await issueKey(service.db, (await findAccount(service.db, slug)) ?? 0, { scopes: ['read'] })

  /** Reads a path and validates the body against the closed schema of that name. */
  async function read<Body>(path: string, schema: string): Promise<Body> {
    const response = await fetch(`${service.baseUrl}/v1/${path}`, { headers: { authorization: `Bearer ${key}` } })
    const body: unknown = await response.json()
    const valid = ajv.validate(`urn:waybill:conformance#/$defs/${schema}`, body)
    expect(valid, `${path}: ${ajv.errorsText()}`).toBe(true)
    expect(response.status === 200, path).toBe(schema !== 'Problem')
    return body as Body
  }

  async function allShipments(): Promise<Fields[]> {
    const pages: Fields[] = []
    const total = expectation.counts.shipment ?? 0
    for (let skip = 0; skip < total; skip += 7) {
      pages.push(...(await read<Fields[]>(`shipments?skip=${skip}&take=7`, 'ShipmentList')))
    }
    return pages
  }

  test('every list is valid, complete and in order', async () => {
    const lists = {
      shipments: (await allShipments()).map((shipment) => String(shipment.svc_shipment_id)),
      invoices: (await read<Fields[]>('invoices', 'InvoiceList')).map((invoice) => String(invoice.reference)),
      documents: (await read<Fields[]>('documents', 'DocumentList')).map((document) => String(document.id)),
    }
    for (const [name, ids] of Object.entries(lists)) {
      const list = name as keyof typeof lists
      expect(ids.filter((id) => !expectation.undated[list].includes(id))).toEqual(expectation.lists[list])
      expect(ids).toHaveLength(expectation.lists[list].length + expectation.undated[list].length)
    }
    expect(await read('purchaseOrders', 'PurchaseOrderList')).toHaveLength(expectation.counts.purchase_order ?? 0)
    expect(await read('locations', 'LocationList')).toHaveLength(expectation.counts.location ?? 0)
  })

  test('shipments show derived fields', async () => {
    for (const [id, fields] of Object.entries(expectation.shipments)) {
      const shipment = await read<Fields>(`shipments/${encodeURIComponent(id)}`, 'Shipment')
      expectFields(shownFields(shipment), fields, id)
      for (const [name, acceptable] of Object.entries(expectation.undetermined.shipments[id] ?? {})) {
        expectAcceptable(shownFields(shipment)[name], acceptable, `${id} ${name}`)
      }
    }
  })

  test('orders show their lines and shipments', async () => {
    for (const [reference, fields] of Object.entries(expectation.purchase_orders)) {
      const order = await read<Fields>(`purchaseOrders/${encodeURIComponent(reference)}`, 'PurchaseOrder')
      const lines = (order.purchase_order_lines as Fields[]).map((line) => ({
        ...(line.product as Fields),
        ...line,
        assigned_order_lines: sorted(line.assigned_order_lines as Fields[], 'svc_shipment_id'),
      }))
      for (const [index, line] of ((fields.purchase_order_lines ?? []) as Fields[]).entries()) {
        for (const [name, value] of Object.entries(line)) {
          const wanted = name === 'assigned_order_lines' ? sorted(value as Fields[], 'svc_shipment_id') : value
          const found: Fields = lines[index] ?? {}
          if (wanted === null) expect(found[name], `${reference} ${index} ${name}`).toBeUndefined()
          else
            expect(withoutEmptyLists(found[name]), `${reference} ${index} ${name}`).toEqual(withoutEmptyLists(wanted))
        }
      }
    }
  })

  test('locations show integers and omit other values', async () => {
    for (const [id, fields] of Object.entries(expectation.locations)) {
      const location = await read<Fields>(`locations/${id}`, 'Location')
      if (fields.zip_code !== undefined) expect(location.zip_code ?? null, id).toBe(fields.zip_code)
      for (const [index, phone] of Object.entries(fields.contact_phones)) {
        expect((location.contacts as Fields[])[Number(index)]?.phone ?? null, `${id} ${index}`).toBe(phone)
      }
    }
  })

  test('invoices are found by reference, or else by number', async () => {
    for (const [path, reference] of Object.entries(expectation.invoice_lookup)) {
      const invoice = await read<Fields>(`invoices/${encodeURIComponent(path)}`, 'Invoice')
      expect(invoice.reference, path).toBe(reference)
    }
  })

  test('tracking is valid for every tracked shipment', async () => {
    let found = 0
    for (const id of Object.keys(expectation.shipments)) {
      const path = `tracking/${encodeURIComponent(id)}`
      const { status } = await fetch(`${service.baseUrl}/v1/${path}`, { headers: { authorization: `Bearer ${key}` } })
      await read(path, status === 200 ? 'Tracking' : 'Problem')
      if (status === 200) found += 1
    }
    expect(found).toBe(expectation.counts.tracking)
  })

  test('documents can be downloaded', async () => {
    for (const [shipment, ids] of Object.entries(expectation.documents_by_shipment)) {
      const documents = await read<Fields[]>(
        `documents?svc_shipment_id=${encodeURIComponent(shipment)}`,
        'DocumentList',
      )
      expect(new Set(documents.map(({ id }) => id)), shipment).toEqual(new Set(ids))
    }
    for (const document of await read<Fields[]>('documents', 'DocumentList')) {
      const { sha256, ...fields } = expectation.documents[String(document.id)] as Expectation['documents'][string]
      expect(document).toMatchObject(fields)
      const bytes = Buffer.from(await (await fetch(String(document.link))).arrayBuffer())
      expect(createHash('sha256').update(bytes).digest('hex'), fields.name).toBe(sha256)
    }
  })

  test('identifiers of another account do not exist', async () => {
    const paths = {
      shipments: 'shipments',
      purchase_orders: 'purchaseOrders',
      locations: 'locations',
      invoices: 'invoices',
    }
    for (const [kind, path] of Object.entries(paths)) {
      for (const id of expectation.not_found_for_this_account[kind] ?? []) {
        expect(await read(`${path}/${encodeURIComponent(id)}`, 'Problem'), String(id)).toMatchObject({ status: 404 })
      }
    }
  })
})

function shownFields(shipment: Fields): Fields {
  return { ...shipment, total_teus: (shipment.cargo as Fields | undefined)?.total_teus }
}

// In the expectations null means "omitted", and the order of references does not count.
function expectFields(found: Fields, wanted: Fields, place: string): void {
  for (const [name, value] of Object.entries(wanted)) {
    const here = `${place} ${name}`
    if (value === null) expect(found[name], here).toBeUndefined()
    else if (Array.isArray(value)) expect(new Set(found[name] as string[]), here).toEqual(new Set(value))
    else if (typeof value === 'object') expectFields((found[name] ?? {}) as Fields, value as Fields, here)
    else if (name === 'date' || typeof value !== 'object') expect(found[name], here).toEqual(value)
  }
}

function expectAcceptable(found: unknown, acceptable: unknown, place: string): void {
  if (Array.isArray(acceptable)) expect(acceptable, place).toContainEqual(found ?? null)
  else {
    for (const [name, inner] of Object.entries(acceptable as Fields)) {
      expectAcceptable((found as Fields | undefined)?.[name], inner, `${place} ${name}`)
    }
  }
}

function sorted(values: Fields[] | undefined, name: string): Fields[] {
  return (values ?? []).toSorted((one, other) => String(one[name]).localeCompare(String(other[name])))
}

function withoutEmptyLists(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value ?? null, (_, inner: unknown) =>
      Array.isArray(inner) && inner.length === 0 ? undefined : inner,
    ) ?? 'null',
  )
}
