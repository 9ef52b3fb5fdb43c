import type { Language } from '../../../../src/contract/portal/people.js'
import type { PurchaseOrder, PurchaseOrderLine } from '../../../../src/contract/public/purchase-order.js'
import type { Fault } from '../../../../src/contract/refusals.js'
import { numberOf, writtenNumber } from './number-input.js'

/** An order while it is edited: all fields are text until validation. */

export type ParameterDraft = { key: string; name: string; value: string }

export type LineDraft = {
  key: string
  reference: string
  sku: string
  name: string
  ordered_quantity: string
  price: string
  currency: string
  hs_code: string
  description: string
  is_hazardous: '' | 'true' | 'false'
  hazardous_description: string
  volume: string
  custom_parameters: ParameterDraft[]
}

export type LineActions = {
  change(key: string, changes: Partial<LineDraft>, pointer?: string): void
  copy(key: string): void
  remove(line: LineDraft, index: number): void
  leave(pointer: string): void
}

export type LineField = Exclude<keyof LineDraft, 'key' | 'is_hazardous' | 'custom_parameters'>

export type OrderDraft = {
  reference: string
  supplier_id: string
  desired_ex_factory_date: string
  desired_delivery_date: string
  custom_parameters: ParameterDraft[]
  lines: LineDraft[]
}

/** JSON pointers of the fields within a line; errors refer to them. */
export const linePointers = {
  reference: '/reference',
  sku: '/product/sku',
  name: '/product/name',
  ordered_quantity: '/ordered_quantity',
  price: '/unit_price/amount',
  currency: '/unit_price/currency',
  hs_code: '/product/hs_code',
  description: '/product/description',
  hazardous_description: '/product/hazardous_description',
  volume: '/volume',
} satisfies Record<LineField, string>

export const parametersPointer = '/custom_parameters'

export function linePointer(index: number, rest = ''): string {
  return `/product_lines/${index}${rest}`
}

export function newKey(): string {
  const [one = 0, other = 0] = crypto.getRandomValues(new Uint32Array(2))
  return one.toString(36) + other.toString(36)
}

export function emptyLine(filledIn: Partial<LineDraft> = {}): LineDraft {
  return {
    key: newKey(),
    reference: '',
    sku: '',
    name: '',
    ordered_quantity: '',
    price: '',
    currency: '',
    hs_code: '',
    description: '',
    is_hazardous: '',
    hazardous_description: '',
    volume: '',
    custom_parameters: [],
    ...filledIn,
  }
}

export const outOfOrder = 'is before the desired ex factory date'

/** What no schema says: goods are wanted after they have left the factory. */
export function dateFaults({ desired_ex_factory_date: from, desired_delivery_date: to }: OrderDraft): Fault[] {
  return from !== '' && to !== '' && to < from ? [{ pointer: '/desired_delivery_date', detail: outOfOrder }] : []
}

export function emptyDraft(): OrderDraft {
  return {
    reference: '',
    supplier_id: '',
    desired_ex_factory_date: '',
    desired_delivery_date: '',
    custom_parameters: [],
    lines: [emptyLine()],
  }
}

/** The draft of an existing order. */
export function draftOf(order: PurchaseOrder, language: Language): OrderDraft {
  return {
    reference: order.po_number,
    supplier_id: order.supplier_name ?? '',
    desired_ex_factory_date: order.desired_ex_factory_date ?? '',
    desired_delivery_date: order.desired_delivery_date ?? '',
    custom_parameters: parametersOf(order.custom_parameters),
    lines: order.purchase_order_lines.map((line) => lineDraftOf(line, language)),
  }
}

/** A new order like an existing one: its reference and dates have to be entered. */
export function copyOf(order: PurchaseOrder, language: Language): OrderDraft {
  return { ...draftOf(order, language), reference: '', desired_ex_factory_date: '', desired_delivery_date: '' }
}

function lineDraftOf({ reference, product, ordered_quantity, unit_price }: PurchaseOrderLine, language: Language) {
  return emptyLine({
    reference,
    sku: product.sku,
    name: product.name ?? '',
    ordered_quantity: writtenNumber(ordered_quantity, language),
    price: unit_price ? writtenNumber(unit_price.amount, language) : '',
    currency: unit_price?.currency ?? '',
    hs_code: product.hs_code ?? '',
    description: product.description ?? '',
    is_hazardous: product.is_hazardous ?? '',
    hazardous_description: product.hazardous_description ?? '',
    custom_parameters: parametersOf(product.custom_parameters),
  })
}

function parametersOf(parameters: { name: string; value: string }[] = []): ParameterDraft[] {
  return parameters.map(({ name, value }) => ({ key: newKey(), name, value }))
}

/** Drops lines and parameters that were left empty. */
export function withoutBlankRows(draft: OrderDraft): OrderDraft {
  const lines = draft.lines.filter((line) => !isBlankLine(line))
  return {
    ...draft,
    custom_parameters: filled(draft.custom_parameters),
    lines: (lines.length > 0 ? lines : draft.lines.slice(0, 1)).map((line) => ({
      ...line,
      custom_parameters: filled(line.custom_parameters),
    })),
  }
}

// The currency does not count: new lines copy it from the line before.
export function isBlankLine(line: LineDraft): boolean {
  const { key: _key, currency: _currency, custom_parameters, ...texts } = line
  return custom_parameters.length === 0 && Object.values(texts).every((text) => text.trim() === '')
}

function filled(parameters: ParameterDraft[]): ParameterDraft[] {
  return parameters.filter(({ name, value }) => name.trim() !== '' || value.trim() !== '')
}

/** The request body, before validation. */
export type SentOrder = Record<string, unknown> & { product_lines?: Record<string, unknown>[] }

export function orderToCreate(draft: OrderDraft, language: Language): SentOrder {
  const { custom_parameters } = draft
  return {
    ...given({
      reference: textOf(draft.reference),
      supplier_id: textOf(draft.supplier_id),
      desired_ex_factory_date: textOf(draft.desired_ex_factory_date),
      desired_delivery_date: textOf(draft.desired_delivery_date),
    }),
    product_lines: draft.lines.map((line) => lineToSend(line, language)),
    ...(custom_parameters.length > 0 && { custom_parameters: parametersToSend(custom_parameters) }),
  }
}

/**
 * Only what differs from the initial draft. The API cannot clear a date: an emptied one is sent as it is, so that validation
 * reports it.
 */
export function orderToUpdate(draft: OrderDraft, initial: OrderDraft, language: Language): SentOrder {
  const changes: SentOrder = { reference: initial.reference }
  for (const name of ['supplier_id', 'desired_ex_factory_date', 'desired_delivery_date'] as const) {
    if (draft[name].trim() !== initial[name].trim()) changes[name] = draft[name].trim()
  }
  if (!isSame(draft.custom_parameters, initial.custom_parameters)) {
    changes.custom_parameters = parametersToSend(draft.custom_parameters)
  }
  if (!isSame(draft.lines, initial.lines)) {
    changes.product_lines = draft.lines.map((line) => lineToSend(line, language))
  }
  return changes
}

/** Whether two drafts, or parts of them, are equal but for their keys. */
export function isSame(one: unknown, other: unknown): boolean {
  return serialize(one) === serialize(other)
}

export function serialize(draft: unknown): string {
  return JSON.stringify(draft, (name, value: unknown) => (name === 'key' ? undefined : value))
}

function lineToSend(line: LineDraft, language: Language): Record<string, unknown> {
  const amount = numberOf(line.price, language)
  const volume = numberOf(line.volume, language)
  return {
    ...given({ reference: textOf(line.reference), ordered_quantity: numberOf(line.ordered_quantity, language) }),
    product: given({
      sku: textOf(line.sku),
      name: textOf(line.name),
      hs_code: textOf(line.hs_code),
      description: textOf(line.description),
      is_hazardous: line.is_hazardous || undefined,
      hazardous_description: textOf(line.hazardous_description),
      custom_parameters: line.custom_parameters.length > 0 ? parametersToSend(line.custom_parameters) : undefined,
    }),
    ...(amount !== undefined && { unit_price: { amount, ...given({ currency: textOf(line.currency) }) } }),
    ...(volume !== undefined && { volume, volume_unit: 'cbm' }),
  }
}

function parametersToSend(parameters: ParameterDraft[]) {
  return parameters.map(({ name, value }) => ({ name: name.trim(), value: value.trim() }))
}

function textOf(text: string): string | undefined {
  return text.trim() || undefined
}

function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
