import type { TObject } from 'typebox'
import { Invoice } from '../../contract/invoice.js'
import { LocationRecord } from '../../contract/location.js'
import { Shipment } from '../../contract/shipment.js'

/** The columns of a table, read off the schema of its records: a new field has its column without being named here. */

export const tableNames = ['shipments', 'locations', 'invoices'] as const
export type TableName = (typeof tableNames)[number]

export type CellType = 'text' | 'code' | 'number' | 'boolean' | 'date' | 'date_time' | 'choice' | 'texts'

/** A list of objects: each row adds one to it. */
export type List = { name: string; path: string[] }

export type Column = {
  /** What the header calls it. */
  name: string
  /** Where its value is: in the record, or in an entry of its list. */
  path: string[]
  list?: List
  type: CellType
  required: boolean
  choices: string[]
  description: string
}

export type Table = {
  name: TableName
  kind: 'shipment' | 'location' | 'invoice'
  schema: TObject
  columns: Column[]
  identifier: Column
}

// What is derived from other resources is not a matter of tables.
const derivedOfShipments = ['purchase_order_references', 'main_tracking_dates', 'invoice_status', 'invoice_references']

export const tables: Record<TableName, Table> = {
  shipments: tableOf('shipments', 'shipment', Shipment, 'svc_shipment_id', derivedOfShipments),
  locations: tableOf('locations', 'location', LocationRecord, 'id'),
  invoices: tableOf('invoices', 'invoice', Invoice, 'reference'),
}

type Node = {
  type?: string
  format?: string
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
  derived: string[] = [],
): Table {
  const columns = columnsIn(schema as Node, [], undefined).filter(({ list, path }) => {
    return list !== undefined || !derived.includes(path[0] as string)
  })
  const identifier = columns.find((column) => column.name === identifierName)
  if (!identifier) throw new Error(`${name} have no column ${identifierName}`)
  return { name, kind, schema, columns, identifier }
}

function columnsIn(node: Node, path: string[], list: List | undefined): Column[] {
  return Object.entries(node.properties ?? {}).flatMap(([field, schema]) => {
    const here = [...path, field]
    if (schema.type === 'object') return columnsIn(schema, here, list)
    if (schema.type === 'array' && schema.items?.type === 'object') {
      if (list) throw new Error(`${list.name}.${here.join('.')}: a list within a list has no columns`)
      return columnsIn(schema.items, [], { name: field, path: here })
    }
    const required = list === undefined && path.length === 0 && (node.required ?? []).includes(field)
    return [columnOf(schema, here, list, required)]
  })
}

function columnOf(schema: Node, path: string[], list: List | undefined, required: boolean): Column {
  const name = [...(list ? [list.name] : []), ...path].join('.')
  return {
    name,
    path,
    ...(list && { list }),
    type: typeOf(name, schema),
    required,
    choices: schema.enum ?? [],
    description: schema.description ?? '',
  }
}

function typeOf(name: string, schema: Node): CellType {
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
  throw new Error(`${name}: there is no way to write it in a cell`)
}
