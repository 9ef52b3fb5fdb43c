import type { Invoice } from '../../../../src/contract/public/invoice.js'

/** Whether payment is still expected. */
export function isOpen({ type, status }: Pick<Invoice, 'type' | 'status'>): boolean {
  return type !== 'credit_note' && status !== 'paid' && status !== 'write_off'
}
