import type { ImportLine } from '../../src/contract/import-line.js'
import type { PurchaseOrder } from '../../src/contract/public/purchase-order.js'
import type { Shipment } from '../../src/contract/public/shipment.js'
import { printSpecimen } from '../../src/sandbox/document-pdf.js'
import { generateLines } from '../../src/sandbox/generate.js'
import { type Line, newAccount, type TestAccount } from './account.js'
import type { RunningService } from './service.js'

export function today(): string {
  return new Date().toISOString().slice(0, 10)
}

export function dayFromToday(days: number): string {
  return new Date(Date.parse(today()) + days * 86_400_000).toISOString().slice(0, 10)
}

/** An account with generated shipments and related records around the current date. */
export async function generatedAccount(service: RunningService, shipments: number, seed: string): Promise<TestAccount> {
  const account = await newAccount(service)
  const lines = [...generateLines({ accounts: 1, shipments, seed, today: today(), specimen: await printSpecimen() })]
  await account.forwarder.imports(...lines.filter(isOfAccount))
  return account
}

function isOfAccount(line: ImportLine): line is ImportLine & Line {
  return line.kind !== 'account'
}

/** All shipments, from /v1. */
export async function everyShipment({ call }: TestAccount): Promise<Shipment[]> {
  const all: Shipment[] = []
  for (;;) {
    const { status, body } = await call('listShipments', { query: { skip: all.length, take: 100 } })
    if (status === 404) return all
    all.push(...body)
  }
}

export async function everyOrder({ call }: TestAccount): Promise<PurchaseOrder[]> {
  return (await call('listPurchaseOrders')).body
}
