import type { Invoice } from '../../../contract/invoice.js'

/** Whether somebody still has to pay it: a credit note asks for nothing, and neither does what is paid or written off. */
export function isOpen({ type, status }: Pick<Invoice, 'type' | 'status'>): boolean {
  return type !== 'credit_note' && status !== 'paid' && status !== 'write_off'
}
