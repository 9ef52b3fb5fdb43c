import { difference } from './difference.js'
import type { Answer } from './wire.js'

/** What is wrong with an answer, beside what was written before. */
export type Check = (answer: Answer) => string | undefined

type Json = Record<string, unknown>

export function isThere({ status }: Answer): string | undefined {
  return status === 200 ? undefined : `answers ${status}`
}

export function isGone({ status }: Answer): string | undefined {
  return status === 404 ? undefined : `answers ${status}`
}

export function hasSame(written: Json, names: string[]) {
  return (answer: Answer): string | undefined => {
    if (answer.status !== 200) return `answers ${answer.status}`
    const read = kept(answer.json as Json, names)
    return difference(read, kept(written, names)) ?? difference(kept(written, names), read)
  }
}

/** The bytes of a file, where one was sent. */
export function hasBytes(file: Buffer | undefined): Check {
  return ({ status, bytes }) => {
    if (status !== 200) return `answers ${status}`
    return file === undefined || bytes.equals(file) ? undefined : 'has other bytes'
  }
}

export function lists(wanted: object) {
  return ({ json }: Answer): string | undefined => {
    const found = (json as unknown[]).some((each) => difference(each, wanted) === undefined)
    return found ? undefined : `does not list ${JSON.stringify(wanted)}`
  }
}

export function lacks(unwanted: object) {
  return ({ json }: Answer): string | undefined => {
    const found = (json as unknown[]).some((each) => difference(each, unwanted) === undefined)
    return found ? `still lists ${JSON.stringify(unwanted)}` : undefined
  }
}

export function kept(object: Json, names: string[]): Json {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)))
}

/** Kept as it came. */
export function orderFault(answer: Answer, sent: Json): string | undefined {
  const { record } = (answer.json ?? {}) as { record?: Json }
  return difference(record, sent)
}

// Interface 2.5: a boolean is accepted, and returned as its string.
function asShown(name: string, value: unknown): unknown {
  return name === 'is_hazardous' && typeof value === 'boolean' ? String(value) : value
}

export function shownOrderFault(answer: Answer, sent: Json): string | undefined {
  const { reference, supplier_id, product_lines, ...same } = sent
  const lines = (product_lines as Json[] | undefined)?.map(({ product, ordered_quantity, unit_price }) => ({
    product: JSON.parse(JSON.stringify(product), asShown) as Json,
    ordered_quantity,
    ...(unit_price !== undefined && { unit_price }),
  }))
  return difference(answer.json, {
    po_number: reference,
    ...(supplier_id !== undefined && { supplier_name: supplier_id }),
    ...(lines && { purchase_order_lines: lines }),
    ...same,
  })
}
