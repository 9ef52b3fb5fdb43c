import fc from 'fast-check'
import writeWorkbook from 'write-excel-file/node'
import { type TableName, tables } from '../../src/operator/tables/columns.js'
import { openCsv } from '../../src/operator/tables/csv.js'
import { readHeader } from '../../src/operator/tables/header.js'
import { importTable } from '../../src/operator/tables/import-table.js'
import { readRecords } from '../../src/operator/tables/records.js'
import { describeFault, type Sheet } from '../../src/operator/tables/sheet.js'
import type { RunningService } from './service.js'

/** A CSV file, in chunks as they may come from a disk. */
export async function* csvBytes(text: string | Buffer, chunk = 7): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text as string)
  for (let start = 0; start < bytes.length; start += chunk) yield bytes.subarray(start, start + chunk)
}

/** Imports tables; answers the outcome and every fault in words. */
export async function importSheets(
  service: RunningService,
  sheets: Sheet[],
  options: { table: TableName; account: string; skipInvalid?: boolean; checkOnly?: boolean },
) {
  const faults: string[] = []
  const outcome = await importTable(service, sheets, {
    skipInvalid: false,
    author: 'test',
    onFault: (fault) => faults.push(describeFault(fault)),
    ...options,
  })
  return { outcome, faults }
}

export async function importCsv(
  service: RunningService,
  text: string | Buffer,
  options: Parameters<typeof importSheets>[2],
) {
  return importSheets(service, await openCsv(csvBytes(text)), options)
}

/** The records of sheets, and every fault in words. */
export async function readAll(name: TableName, sheets: Sheet[]): Promise<{ records: unknown[]; faults: string[] }> {
  const records: unknown[] = []
  const faults: string[] = []
  for (const sheet of sheets) {
    for await (const record of readRecords(tables[name], sheet, readHeader(tables[name], sheet))) {
      records.push(record.data)
      faults.push(...record.faults.map(describeFault))
    }
  }
  return { records, faults }
}

/** An XLSX file; `edit` changes the XML of its sheets, to what only other programs write. */
export async function xlsxOf(
  sheets: { sheet: string; data: unknown[][] }[],
  edit: (xml: string) => string = (xml) => xml,
): Promise<Buffer> {
  const features = [{ files: { transform: { 'xl/worksheets/sheet{id}.xml': { transform: edit } } } }]
  return writeWorkbook(sheets as never, { features } as never).toBuffer()
}

type Node = {
  type?: string
  format?: string
  enum?: string[]
  pattern?: string
  maxLength?: number
  exclusiveMinimum?: number
  maximum?: number
  properties?: Record<string, Node>
  required?: string[]
  items?: Node
  anyOf?: Node[]
}

/** `leftOut`: names of fields that have no column. */
type Limits = { number: fc.Arbitrary<number>; text: fc.Arbitrary<string>; leftOut: string[] }

/** Any record of a schema that a table can hold: without empty texts, objects and lists, which are no values in cells. */
export function anyRecord(schema: Node, limits: Limits): fc.Arbitrary<Record<string, unknown>> {
  return anyObject(schema, limits, [])
}

function anyObject({ properties = {}, required = [] }: Node, limits: Limits, path: string[]) {
  const fields = Object.entries(properties).filter(([name]) => !limits.leftOut.includes([...path, name].join('.')))
  const values = Object.fromEntries(fields.map(([name, node]) => [name, anyValue(node, limits, [...path, name])]))
  return fc.record(values, { requiredKeys: required }).filter((object) => Object.keys(object).length > 0)
}

function anyValue(node: Node, limits: Limits, path: string[]): fc.Arbitrary<unknown> {
  const { number, text } = limits
  if (node.enum) return fc.constantFrom(...node.enum)
  if (node.anyOf?.some(({ type }) => type === 'boolean')) return fc.boolean()
  if (node.anyOf)
    return fc.oneof(
      fc.nat(),
      text.filter((code) => String(Number(code)) !== code),
    )
  if (node.pattern) return fc.stringMatching(new RegExp(node.pattern))
  if (node.format === 'date') return anyDate.map((date) => date.toISOString().slice(0, 10))
  if (node.format === 'date-time') return anyDate.map((date) => `${date.toISOString().slice(0, 19)}+08:00`)
  switch (node.type) {
    case 'object':
      return anyObject(node, limits, path)
    case 'array':
      return fc.array(anyItem(node.items ?? {}, limits, path), { minLength: 1, maxLength: 4 })
    case 'integer':
      return fc.maxSafeInteger().map((integer) => Number(integer.toPrecision(15)))
    case 'number':
      if (node.exclusiveMinimum === undefined) return number
      return number.map((value) => Math.min(Math.abs(value), node.maximum ?? Number.MAX_VALUE) || 1)
    case 'boolean':
      return fc.boolean()
    default:
      return text.map((value) => value.slice(0, node.maxLength ?? value.length))
  }
}

const anyDate = fc.date({ min: new Date('1950-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })

// Texts of a list stand in one cell, between semicolons.
function anyItem(node: Node, limits: Limits, path: string[]): fc.Arbitrary<unknown> {
  if (node.type === 'object') return anyObject(node, limits, path)
  return limits.text.map((text) => text.replaceAll(';', ','))
}
