import type { Fault } from '../../../../src/contract/refusals.js'
import type { Messages } from '../../i18n/messages.js'
import { type LineField, linePointers, outOfOrder } from './order-draft.js'

/** The label of the field that a JSON pointer refers to: `SKU, line 2`. */
export function fieldLabel(pointer: string, { orderForm }: Messages): string {
  const [, line, inLine] = /^\/product_lines\/(\d+)(\/.*)?$/.exec(pointer) ?? []
  if (line === undefined) return orderFieldLabel(pointer, orderForm)
  const field = Object.entries(linePointers).find(([, rest]) => rest === inLine)?.[0] as LineField | undefined
  if (field !== undefined) return orderForm.lineField(orderForm.fields[field], Number(line) + 1)
  if (inLine?.includes('/custom_parameters')) return orderForm.productParametersOf(Number(line) + 1)
  if (inLine === '/product/is_hazardous') return orderForm.lineField(orderForm.isHazardous, Number(line) + 1)
  return orderForm.line(Number(line) + 1)
}

function orderFieldLabel(pointer: string, orderForm: Messages['orderForm']): string {
  const [, name = '', position] = pointer.split('/')
  if (name === 'product_lines') return orderForm.lines
  if (name === 'custom_parameters') {
    return position === undefined ? orderForm.parameters : orderForm.parameter(Number(position) + 1)
  }
  return Object.hasOwn(orderForm.orderFields, name)
    ? orderForm.orderFields[name as keyof typeof orderForm.orderFields]
    : pointer
}

/** The error of a field; for an empty field, what to enter. */
export function faultText({ pointer, detail }: Fault, { orderForm }: Messages): string {
  const field = pointer.slice(pointer.lastIndexOf('/') + 1)
  const { required } = orderForm
  if (detail === outOfOrder) return orderForm.outOfOrder
  return detail === 'is required' && Object.hasOwn(required, field)
    ? required[field as keyof typeof required]
    : orderForm.fault(detail)
}

/** Focuses the field of an error, or the first one below its pointer. */
export function goToFault(form: HTMLElement, pointer: string): void {
  const fields = [...form.querySelectorAll<HTMLElement>('[name^="/"]')]
  const nameOf = (field: HTMLElement) => field.getAttribute('name') ?? ''
  const found =
    fields.find((field) => nameOf(field) === pointer) ?? fields.find((field) => nameOf(field).startsWith(pointer))
  found?.focus()
  found?.scrollIntoView({ block: 'center' })
}
