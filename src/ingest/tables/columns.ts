import type { TObject } from 'typebox'
import { Invoice } from '../../contract/public/invoice.js'
import { LocationRecord } from '../../contract/public/location.js'
import { PurchaseOrderCreate } from '../../contract/public/purchase-order.js'
import { PortCode } from '../../contract/public/shared-types.js'
import { Shipment } from '../../contract/public/shipment.js'
import { listRules } from '../lines/record-patch.js'

/** The columns of a table, derived from the schema of its records: a new field gets its column automatically. */

export const tableNames = ['shipments', 'locations', 'invoices', 'purchase_orders'] as const
export type TableName = (typeof tableNames)[number]

export type CellType =
  | 'text'
  | 'code'
  | 'number'
  | 'boolean'
  | 'date'
  | 'date_time'
  | 'choice'
  | 'texts'
  | 'port'
  | 'container_number'
  | 'container_type'

/** A list of objects: each row adds an entry. `keys` are the columns that its entries are matched by. */
export type List = { name: string; path: string[]; keys: string[] }

export type Column = {
  /** Its name in the header. */
  name: string
  /** The path of its value in the record, or in an entry of its list. */
  path: string[]
  list?: List
  type: CellType
  required: boolean
  /** The path of what goes when its value is cleared: a weight without its value is none. Undefined: it cannot be cleared. */
  clears: string[] | undefined
  choices: string[]
  description: string
}

export type Table = {
  name: TableName
  kind: 'shipment' | 'location' | 'invoice' | 'purchase_order'
  schema: TObject
  columns: Column[]
  identifier: Column
}

// Derived from other resources: not imported.
const derivedOfShipments = ['purchase_order_references', 'main_tracking_dates', 'invoice_status', 'invoice_references']
// A row holds one entry of a list, so lists within lists have no columns.
const listsInLists = ['product_lines.product.custom_parameters']

export const tables: Record<TableName, Table> = {
  shipments: tableOf('shipments', 'shipment', Shipment, 'svc_shipment_id', derivedOfShipments),
  locations: tableOf('locations', 'location', LocationRecord, 'id'),
  invoices: tableOf('invoices', 'invoice', Invoice, 'reference'),
  purchase_orders: tableOf('purchase_orders', 'purchase_order', PurchaseOrderCreate, 'reference', listsInLists),
}

type Node = {
  type?: string
  format?: string
  pattern?: string
  enum?: string[]
  description?: string
  properties?: Record<string, Node>
  required?: string[]
  items?: Node
  anyOf?: Node[]
}

function tableOf(
  name: TableName,
  kind: Table['kind'],
  schema: TObject,
  identifierName: string,
  leftOut: string[] = [],
): Table {
  const columns = columnsIn(schema, { path: [], leftOut })
  const identifier = columns.find((column) => column.name === identifierName)
  if (!identifier) throw new Error(`${name} have no column ${identifierName}`)
  return { name, kind, schema, columns, identifier }
}

type Place = { path: string[]; list?: List; clears?: string[] | undefined; leftOut: string[] }

function columnsIn(node: Node, { path, list, clears, leftOut }: Place): Column[] {
  return Object.entries(node.properties ?? {}).flatMap(([field, schema]) => {
    const here = [...path, field]
    if (leftOut.includes(nameOf(list, here))) return []
    const isRequired = (node.required ?? []).includes(field)
    const place = { path: here, clears: isRequired ? clears : here, leftOut, ...(list && { list }) }
    if (schema.type === 'object') return columnsIn(schema, place)
    if (schema.type === 'array' && schema.items?.type === 'object') {
      if (list) throw new Error(`${nameOf(list, here)}: a list within a list has no columns`)
      const keys = (listRules[here.join('.')]?.keys ?? []).map((key) => [field, ...key].join('.'))
      return columnsIn(schema.items, { path: [], list: { name: field, path: here, keys }, leftOut })
    }
    return [columnOf(schema, place, list === undefined && path.length === 0 && isRequired)]
  })
}

function nameOf(list: List | undefined, path: string[]): string {
  return [...(list ? [list.name] : []), ...path].join('.')
}

function columnOf(schema: Node, { path, list, clears }: Place, required: boolean): Column {
  const name = nameOf(list, path)
  return {
    name,
    path,
    ...(list && { list }),
    type: typeOf(name, schema),
    required,
    clears,
    choices: schema.enum ?? [],
    description: schema.description ?? '',
  }
}

function typeOf(name: string, schema: Node): CellType {
  if (schema.pattern !== undefined && schema.pattern === (PortCode as Node).pattern) return 'port'
  if (name.endsWith('.container_number')) return 'container_number'
  if (name.endsWith('.container_type')) return 'container_type'
  if (schema.enum) return 'choice'
  if (schema.format === 'date') return 'date'
  if (schema.format === 'date-time') return 'date_time'
  switch (schema.type) {
    case 'string':
      return 'text'
    case 'number':
    case 'integer':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'array':
      if (schema.items?.type === 'string') return 'texts'
  }
  const types = schema.anyOf?.map(({ type }) => type)
  if (types?.includes('number') && types.includes('string')) return 'code'
  // Interface 2.5: a flag whose type is string may be sent as a boolean.
  if (types?.includes('boolean')) return 'boolean'
  throw new Error(`${name}: there is no way to write it in a cell`)
}
