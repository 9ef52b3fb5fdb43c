import type { Messages } from '../../i18n/messages.js'
import { type LineField, linePointers } from './order-draft.js'

/** What people call the place that a fault points to: `Line 2, SKU`. */
export function placeInWords(pointer: string, { orderForm }: Messages): string {
  const [, line, inLine] = /^\/product_lines\/(\d+)(\/.*)?$/.exec(pointer) ?? []
  if (line === undefined) return orderPlace(pointer, orderForm)
  const field = Object.entries(linePointers).find(([, rest]) => rest === inLine)?.[0] as LineField | undefined
  if (field !== undefined) return orderForm.lineField(orderForm.fields[field], Number(line) + 1)
  if (inLine?.includes('/custom_parameters')) return orderForm.productParametersOf(Number(line) + 1)
  if (inLine === '/product/is_hazardous') return orderForm.lineField(orderForm.isHazardous, Number(line) + 1)
  return orderForm.line(Number(line) + 1)
}

function orderPlace(pointer: string, orderForm: Messages['orderForm']): string {
  const [, name = '', position] = pointer.split('/')
  if (name === 'product_lines') return orderForm.lines
  if (name === 'custom_parameters') {
    return position === undefined ? orderForm.parameters : orderForm.parameter(Number(position) + 1)
  }
  return Object.hasOwn(orderForm.orderFields, name)
    ? orderForm.orderFields[name as keyof typeof orderForm.orderFields]
    : pointer
}

/** Brings the cursor to the field that a fault is about; where that has none, to the nearest around it. */
export function goToFault(form: HTMLElement, pointer: string): void {
  const fields = [...form.querySelectorAll<HTMLElement>('[name^="/"]')]
  const nameOf = (field: HTMLElement) => field.getAttribute('name') ?? ''
  const found =
    fields.find((field) => nameOf(field) === pointer) ?? fields.find((field) => nameOf(field).startsWith(pointer))
  found?.focus()
  found?.scrollIntoView({ block: 'center' })
}
