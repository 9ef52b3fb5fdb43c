import { join } from 'node:path'
import { recordPurchaseOrder, renderPurchaseOrder } from '../src/domain/purchase-order.js'
import { createRandom } from '../src/sandbox/random.js'
import { runApart } from './apart.js'
import type { LoadResult } from './load/load.js'
import { tenLineOrder, uniqueMarker } from './orders.js'

type Wanted = { url: string; accounts: number[]; loops: number; seconds: number; firstNumber: number }

/** What is stored of an order, with the marker where its number goes. */
export type ReadyOrder = { record: string; body: string }

export type BareInserts = Wanted & { orders: ReadyOrder[] }

export function runBareInserts(wanted: Wanted): Promise<LoadResult> {
  return runApart(join(import.meta.dirname, 'bare-inserts.ts'), { ...wanted, orders: readyOrders() })
}

function readyOrders(): ReadyOrder[] {
  const random = createRandom('bare inserts')
  return Array.from({ length: 100 }, (_, index) => {
    const record = recordPurchaseOrder(tenLineOrder(`NEW-${uniqueMarker}`, `Supplier ${index}`, random))
    return { record: JSON.stringify(record), body: JSON.stringify(renderPurchaseOrder(record, [])) }
  })
}
