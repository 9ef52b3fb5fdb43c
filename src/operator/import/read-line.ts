import { type FileHandle, open, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import type { Readable } from 'node:stream'
import type { Static } from 'typebox'
import { ImportEnvelope, type ImportKind, type ImportLine, importData } from '../../contract/import-line.js'
import type { Fault } from '../../contract/refusals.js'
import { type Validator, validatorOf } from '../../contract/validation.js'
import { shippedFault } from '../../domain/assignment.js'
import { purchaseOrderFaults, recordPurchaseOrder } from '../../domain/purchase-order.js'
import { assignmentId } from '../../storage/assignments.js'
import type { Intake } from '../../storage/document-files.js'
import type { StagedLine } from '../../storage/import-staging.js'

/** One line of an import file on its own: everything that can be said of it without looking at anything else. */

const envelope = validatorOf(ImportEnvelope)
const validators = Object.fromEntries(
  Object.entries(importData).map(([kind, schema]) => [kind, validatorOf(schema)]),
) as { [Kind in ImportKind]: Validator<(typeof importData)[Kind]> }

const utf8 = new TextDecoder('utf-8', { fatal: true })

export type LineReading = { staged: Omit<StagedLine, 'line'>; faults?: undefined } | { faults: Fault[] }

export async function readLine(bytes: Buffer, intake: Intake, folder: string): Promise<LineReading> {
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch (error) {
    return { faults: [{ pointer: '', detail: `is not a JSON object in UTF-8: ${(error as Error).message}` }] }
  }
  const outer = envelope.faultsIn(value)
  if (outer.length > 0) return { faults: outer }
  const line = value as Static<typeof ImportEnvelope>
  const faults = validators[line.kind].faultsIn(line.data)
  if (faults.length === 0) faults.push(...ruleFaults(line as ImportLine))
  if (faults.length > 0) return { faults: inData(faults) }
  const reading = await stage(line as ImportLine, intake, folder)
  return reading.faults ? reading : { staged: { ...reading.staged, stored_at: line.stored_at } }
}

function inData(faults: Fault[]): Fault[] {
  return faults.map(({ pointer, detail }) => ({ pointer: `/data${pointer}`, detail }))
}

function ruleFaults(line: ImportLine): Fault[] {
  switch (line.kind) {
    case 'purchase_order':
      return purchaseOrderFaults(line.data)
    case 'assignment':
      return [shippedFault(line.data) ?? []].flat()
    case 'document': {
      const given = [line.data.content_base64, line.data.file].filter((source) => source !== undefined)
      return given.length === 1 ? [] : [{ pointer: '', detail: 'needs either content_base64 or file' }]
    }
    default:
      return []
  }
}

async function stage(line: ImportLine, intake: Intake, folder: string): Promise<LineReading> {
  const { kind, account } = line
  switch (line.kind) {
    case 'account':
      return staged({ kind, account, id: account, record: line.data })
    case 'location':
      return staged({ kind, account, id: String(line.data.id), record: line.data })
    case 'shipment':
      return staged({ kind, account, id: line.data.svc_shipment_id, status: line.data.status, record: line.data })
    case 'tracking':
      return staged({
        kind,
        account,
        id: line.data.svc_shipment_id,
        shipment: line.data.svc_shipment_id,
        record: line.data,
      })
    case 'invoice':
      return staged({ kind, account, id: line.data.reference, shipment: line.data.svc_shipment_id, record: line.data })
    case 'document': {
      const content = await contentOf(line.data, intake, folder)
      if (content.faults) return { faults: inData(content.faults) }
      const { content_base64: _content, file: _file, ...record } = line.data
      const id = record.id.toLowerCase()
      return staged({
        kind,
        account,
        id,
        shipment: record.svc_shipment_id,
        record: { ...record, id, ...content.stored },
      })
    }
    case 'purchase_order': {
      const { reference } = line.data
      return staged({ kind, account, id: reference, reference, record: recordPurchaseOrder(line.data) })
    }
    case 'assignment': {
      const { reference, svc_shipment_id } = line.data
      return staged({
        kind,
        account,
        id: assignmentId(line.data),
        reference,
        shipment: svc_shipment_id,
        record: line.data,
      })
    }
  }
}

// Records are stored several at a time, in one statement: none may be too large for it.
const largestRecord = 16 * 1024 * 1024

function staged({ record: data, ...line }: Omit<StagedLine, 'line' | 'record'> & { record: unknown }): LineReading {
  const record = JSON.stringify(data)
  if (Buffer.byteLength(record) > largestRecord) {
    return { faults: [{ pointer: '/data', detail: 'is larger than 16 MiB' }] }
  }
  return { staged: { ...line, record } }
}

type Content = { stored: { size: number; content_hash: string }; faults?: undefined } | { faults: Fault[] }

async function contentOf(
  { content_base64, file }: { content_base64?: string | undefined; file?: string | undefined },
  intake: Intake,
  folder: string,
): Promise<Content> {
  if (content_base64 !== undefined) {
    const bytes = Buffer.from(content_base64, 'base64')
    if (bytes.toString('base64').replace(/=+$/, '') !== content_base64.replace(/=+$/, '')) {
      return { faults: [{ pointer: '/content_base64', detail: 'is not base64' }] }
    }
    return store(intake, bytes)
  }
  const handle = await openBeside(folder, file ?? '')
  if (!handle) return { faults: [{ pointer: '/file', detail: `there is no file ${file} beside the import file` }] }
  return store(intake, handle.createReadStream())
}

// The file names what is shipped with it, not what else the machine holds.
async function openBeside(folder: string, file: string): Promise<FileHandle | undefined> {
  const path = await realpath(join(folder, file)).catch(() => undefined)
  const inside = path && relative(await realpath(folder), path)
  if (!path || !inside || inside.startsWith('..') || isAbsolute(inside)) return undefined
  const handle = await open(path).catch(() => undefined)
  if (!handle || (await handle.stat()).isFile()) return handle
  await handle.close()
  return undefined
}

async function store(intake: Intake, bytes: Buffer | Readable): Promise<Content> {
  const { hash, size } = await intake.add(bytes)
  return { stored: { size, content_hash: hash } }
}
