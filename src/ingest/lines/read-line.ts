import { ImportEnvelope, type ImportKind, type ImportLine, importData } from '../../contract/import-line.js'
import type { Warning } from '../../contract/operator/version.js'
import type { TrackingRecord } from '../../contract/public/tracking.js'
import type { Fault } from '../../contract/refusals.js'
import { type Validator, validatorOf } from '../../contract/validation.js'
import { magnitudeFaults } from '../../domain/invoices/invoice-magnitude.js'
import { namesFault, shippedFault } from '../../domain/purchase-orders/assignment.js'
import { purchaseOrderFaults } from '../../domain/purchase-orders/purchase-order.js'
import { normalizeAssignment, normalizeEvent, normalizeShipment } from '../../domain/shipments/normalize-shipment.js'
import { packingWarnings, shipmentWarnings } from '../../domain/shipments/shipment-warnings.js'
import type { StagedLine } from '../../store/staging/import-staging.js'
import { isKnownPlace } from '../../usecases/shipments/known-place.js'
import type { GivenDocument, LineWithContent } from './given-document.js'
import { stageLine } from './stage-line.js'

/** Parses and validates one line of an import file, without regard to other lines or stored records. */

const envelope = validatorOf(ImportEnvelope)
const validators = Object.fromEntries(
  Object.entries(importData).map(([kind, schema]) => [kind, validatorOf(schema)]),
) as { [Kind in ImportKind]: Validator<(typeof importData)[Kind]> }

const utf8 = new TextDecoder('utf-8', { fatal: true })

export type LineReading = StagedReading | RejectedReading | DocumentReading

export type StagedReading = { staged: Omit<StagedLine, 'line'>; warnings?: Warning[] }
export type RejectedReading = {
  faults: Fault[]
  /** How many faults there are beyond those. */
  moreFaults?: number
}
/** A valid document, whose content is still to be stored. */
export type DocumentReading = { document: GivenDocument }

export function readLine(bytes: Buffer): LineReading {
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch (error) {
    return { faults: [{ pointer: '', detail: `is not a JSON object in UTF-8: ${(error as Error).message}` }] }
  }
  // `data` is validated by the schema of its kind, below.
  const outer = envelope.faultsIn(hasData(value) ? { ...value, data: null } : value)
  if (outer.length > 0) return { faults: outer }
  const line = value as ImportLine
  // Lines of an export are kept as they are.
  return readRecord(line, line.stored_at === undefined ? normalizeRecord(line) : [])
}

/** Validates a record of a line whose envelope is valid. */
export function readRecord(line: ImportLine, normalized: Warning[] = []): LineReading {
  const faults = validators[line.kind].faultsIn(line.data)
  if (faults.length === 0) faults.push(...ruleFaults(line))
  if (faults.length > 0) return { faults: inData(faults) }
  if (hasContent(line)) return readDocument(line)
  const warnings = [...normalized, ...recordWarnings(line)].slice(0, mostWarnings)
  const reading = limited(stageLine(line))
  return 'staged' in reading && warnings.length > 0 ? { ...reading, warnings: inData(warnings) } : reading
}

// Of one line.
const mostWarnings = 20

function normalizeRecord({ kind, data }: ImportLine): Warning[] {
  if (kind === 'shipment') return normalizeShipment(data)
  if (kind === 'assignment') return normalizeAssignment(data)
  return kind === 'tracking_event' ? normalizeEvent(data) : []
}

function recordWarnings(line: ImportLine): Warning[] {
  if (line.kind === 'shipment') return shipmentWarnings(line.data, isKnownPlace)
  return line.kind === 'assignment' ? packingWarnings(line.data.shipped_order_lines ?? []) : []
}

/** Lines of records with a file. */
export function hasContent(line: ImportLine): line is LineWithContent {
  return line.kind === 'document' || line.kind === 'document_proposal' || line.kind === 'message_file'
}

function readDocument({ kind, account, stored_at, data }: LineWithContent): LineReading {
  const { content_base64, file, ...rest } = data
  const lower = 'id' in rest ? { ...rest, id: rest.id.toLowerCase() } : { ...rest, file_id: rest.file_id.toLowerCase() }
  const document = { kind, account, stored_at, data: lower } as GivenDocument
  if (content_base64 === undefined) return { document: { ...document, file } }
  const content = Buffer.from(content_base64, 'base64')
  if (unpadded(content.toString('base64')) !== unpadded(content_base64)) {
    return { faults: [{ pointer: '/data/content_base64', detail: 'is not base64' }] }
  }
  return { document: { ...document, content } }
}

function unpadded(base64: string): string {
  return base64.replace(/={1,2}$/, '')
}

// Records are stored in batches of one statement: this bounds the size of a statement.
const largestRecord = 16 * 1024 * 1024

export function limited(staged: Omit<StagedLine, 'line'>): StagedReading | RejectedReading {
  // UTF-8 takes at most three bytes for a UTF-16 code unit.
  const isSmall = staged.record.length * 3 <= largestRecord
  if (isSmall || Buffer.byteLength(staged.record) <= largestRecord) return { staged }
  return { faults: [{ pointer: '/data', detail: 'is larger than 16 MiB' }] }
}

function hasData(value: unknown): value is { data: unknown } {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'data')
}

export function inData(faults: Fault[]): Fault[] {
  return faults.map(({ pointer, detail }) => ({ pointer: `/data${pointer}`, detail }))
}

function ruleFaults(line: ImportLine): Fault[] {
  switch (line.kind) {
    case 'purchase_order':
      return purchaseOrderFaults(line.data)
    case 'assignment':
      return [namesFault(line.data) ?? [], shippedFault(line.data) ?? []].flat()
    case 'document':
    case 'document_proposal':
    case 'message_file': {
      const given = [line.data.content_base64, line.data.file].filter((source) => source !== undefined)
      return given.length === 1 ? [] : [{ pointer: '', detail: 'needs either content_base64 or file' }]
    }
    case 'message': {
      const subjects = [line.data.svc_shipment_id, line.data.po_number].filter((subject) => subject !== undefined)
      return subjects.length === 1 ? [] : [{ pointer: '', detail: 'needs either svc_shipment_id or po_number' }]
    }
    case 'invoice':
      return magnitudeFaults(line.data)
    case 'tracking':
      return repeatedSteps(line.data)
    default:
      return []
  }
}

// Events refer to steps by identifier, so identifiers must be unique.
function repeatedSteps({ tracking_steps = [] }: TrackingRecord): Fault[] {
  const seen = new Set<string>()
  return tracking_steps.flatMap(({ id }, index) => {
    if (id === undefined || !seen.has(id)) {
      if (id !== undefined) seen.add(id)
      return []
    }
    return [{ pointer: `/tracking_steps/${index}/id`, detail: 'must differ from those of the other steps' }]
  })
}
