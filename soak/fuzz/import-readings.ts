import type { Exchange } from './contract-check.js'
import { difference } from './difference.js'
import { nameOf, Verbatim, writeJson } from './json-text.js'
import type { Reading } from './readings.js'

/** Follow-up reads of an import: each record is found as it was sent. */

type Line = { kind: string; data: Record<string, unknown> }

const shownBy: Record<string, { name: string; key: string; param: string }> = {
  location: { name: 'operator.getLocation', key: 'id', param: 'id' },
  shipment: { name: 'operator.getShipment', key: 'svc_shipment_id', param: 'svc_shipment_id' },
  purchase_order: { name: 'operator.getPurchaseOrder', key: 'reference', param: 'reference' },
  invoice: { name: 'operator.getInvoice', key: 'reference', param: 'reference' },
  document: { name: 'operator.getDocument', key: 'id', param: 'id' },
}

export function importReadings({ request: { body }, response }: Exchange, account: string): Reading[] {
  const { kept, lines, rejected } = response.json as { kept: boolean; lines: number; rejected: number }
  if (body?.is !== 'lines' || !kept || rejected > 0 || lines !== body.lines.length) return []
  // The last line of a record counts.
  const last = new Map<string, Reading>()
  for (const line of body.lines) {
    const { kind, data } = readLine(line)
    const shown = shownBy[kind]
    if (!shown) continue
    const id = nameOf(data[shown.key])
    // The size of a document is that of its content.
    const { content_base64: _content, file: _file, size: _size, ...sent } = data
    last.set(`${kind} ${id}`, {
      name: shown.name,
      params: { account, [shown.param]: id },
      check: ({ json }) => difference((json as { record?: unknown } | undefined)?.record, sent),
    })
  }
  return [...last.values()]
}

function readLine(line: unknown): Line {
  return JSON.parse(line instanceof Verbatim ? line.text : writeJson(line)) as Line
}
