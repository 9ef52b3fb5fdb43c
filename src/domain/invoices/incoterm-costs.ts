import type { Shipment } from '../../contract/public/shipment.js'
import type { ChargeKind } from './charge-kinds.js'

/** Which costs the exporter bears by the Incoterm (2020; DAT of 2010); the importer bears the others. */
const borneByExporter: Record<NonNullable<Shipment['incoterm']>, ChargeKind[]> = {
  exw: [],
  fca: ['origin'],
  fas: ['origin'],
  fob: ['origin'],
  cfr: ['origin', 'main'],
  cpt: ['origin', 'main'],
  cif: ['origin', 'main', 'insurance'],
  cip: ['origin', 'main', 'insurance'],
  dap: ['origin', 'main', 'delivery'],
  dpu: ['origin', 'main', 'delivery'],
  dat: ['origin', 'main'],
  ddp: ['origin', 'main', 'delivery', 'duty'],
}

const divided = new Set<ChargeKind | undefined>(['origin', 'main', 'delivery', 'duty'])

export function isBorneByOtherSide(
  incoterm: NonNullable<Shipment['incoterm']>,
  side: 'importer' | 'exporter',
  kind: ChargeKind | undefined,
): boolean {
  const isExporters = kind !== undefined && borneByExporter[incoterm].includes(kind)
  if (side === 'importer') return isExporters
  // Insurance may be taken out by either side unless the term says who does.
  return divided.has(kind) && !isExporters
}
