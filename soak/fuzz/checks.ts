import { difference } from './difference.js'
import type { HttpResponse } from './wire.js'

/** Checks a response against what was written; returns a description of the difference. */
export type Check = (response: HttpResponse) => string | undefined

type Json = Record<string, unknown>

export function isThere({ status }: HttpResponse): string | undefined {
  return status === 200 ? undefined : `responds with ${status}`
}

export function isGone({ status }: HttpResponse): string | undefined {
  return status === 404 ? undefined : `responds with ${status}`
}

export function hasSame(written: Json, names: string[]) {
  return (response: HttpResponse): string | undefined => {
    if (response.status !== 200) return `responds with ${response.status}`
    const read = kept(response.json as Json, names)
    return difference(read, kept(written, names)) ?? difference(kept(written, names), read)
  }
}

/** The content of an uploaded file. */
export function hasBytes(file: Buffer | undefined): Check {
  return ({ status, bytes }) => {
    if (status !== 200) return `responds with ${status}`
    return file === undefined || bytes.equals(file) ? undefined : 'has other content'
  }
}

export function lists(wanted: object) {
  return ({ json }: HttpResponse): string | undefined => {
    const found = (json as unknown[]).some((each) => difference(each, wanted) === undefined)
    return found ? undefined : `does not list ${JSON.stringify(wanted)}`
  }
}

export function lacks(unwanted: object) {
  return ({ json }: HttpResponse): string | undefined => {
    const found = (json as unknown[]).some((each) => difference(each, unwanted) === undefined)
    return found ? `still lists ${JSON.stringify(unwanted)}` : undefined
  }
}

export function kept(object: Json, names: string[]): Json {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)))
}

/** Returned as it was sent. */
export function orderFault(response: HttpResponse, sent: Json): string | undefined {
  const { record } = (response.json ?? {}) as { record?: Json }
  return difference(record, sent)
}

// Interface 2.5: a boolean is accepted, and returned as its string.
function asShown(name: string, value: unknown): unknown {
  return name === 'is_hazardous' && typeof value === 'boolean' ? String(value) : value
}

export function shownOrderFault(response: HttpResponse, sent: Json): string | undefined {
  const { reference, supplier_id, product_lines, ...same } = sent
  const lines = (product_lines as Json[] | undefined)?.map(({ product, ordered_quantity, unit_price }) => ({
    product: JSON.parse(JSON.stringify(product), asShown) as Json,
    ordered_quantity,
    ...(unit_price !== undefined && { unit_price }),
  }))
  return difference(response.json, {
    po_number: reference,
    ...(supplier_id !== undefined && { supplier_name: supplier_id }),
    ...(lines && { purchase_order_lines: lines }),
    ...same,
  })
}
