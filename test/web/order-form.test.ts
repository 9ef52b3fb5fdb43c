import { expect, test } from 'vitest'
import type { PurchaseOrder } from '../../src/contract/public/purchase-order.js'
import { columnsByHeading, plainHeading } from '../../src/domain/records/column-headings.js'
import { en } from '../../web/portal/i18n/en.js'
import { fr } from '../../web/portal/i18n/fr.js'
import { telephoneOf } from '../../web/portal/pages/locations/telephone.js'
import { faultText } from '../../web/portal/pages/orders/field-faults.js'
import { numberOf, writtenNumber } from '../../web/portal/pages/orders/number-input.js'
import {
  dateFaults,
  draftOf,
  emptyDraft,
  emptyLine,
  type LineField,
  type OrderDraft,
  orderToCreate,
  orderToUpdate,
  withoutBlankRows,
} from '../../web/portal/pages/orders/order-draft.js'
import { faultsToCreate, faultsToUpdate } from '../../web/portal/pages/orders/order-validation.js'
import { cellsOf, isTable, pasteInto } from '../../web/portal/pages/orders/pasted-lines.js'

/** How the order form interprets input. */

test('numbers are parsed in the reader’s notation, and other input is not guessed', () => {
  expect(numberOf('1,250.5', 'en')).toBe(1250.5)
  expect(numberOf('1 250,5', 'fr')).toBe(1250.5)
  expect(numberOf('1\u202f250,5', 'fr')).toBe(1250.5)
  expect(numberOf('12.5', 'fr')).toBe(12.5)
  expect(numberOf('12,5', 'en')).toBe('12,5')
  expect(numberOf('1.234,56', 'fr')).toBe(1234.56)
  expect(numberOf('1.234,56', 'en')).toBe(1234.56)
  expect(numberOf('1 234.56', 'en')).toBe(1234.56)
  expect(numberOf('1.234.567', 'fr')).toBe(1234567)
  expect(numberOf(' many ', 'en')).toBe('many')
  expect(numberOf('  ', 'en')).toBeUndefined()
  for (const value of [0, 0.1, 1250.5, 1e15]) expect(numberOf(writtenNumber(value, 'fr'), 'fr')).toBe(value)
})

test('pasted text is split into cells as spreadsheets write it', () => {
  expect(cellsOf('A\tB\r\n"two\nlines"\t"a ""quote"""\r\n\r\n\t\r\nC\t')).toEqual([
    ['A', 'B'],
    ['two\nlines', 'a "quote"'],
    ['C', ''],
  ])
  expect(isTable('one cell\n')).toBe(false)
  expect(isTable('two\tcells')).toBe(true)
})

test('pasted rows fill fields from the focused one, to the right and down', () => {
  const lines = [emptyLine({ sku: 'KEPT', name: 'Kept' }), emptyLine()]
  const pasted = pasteInto(lines, 'Lamp\t5\nChair\t6\nTable\t7', { line: 1, field: 'name' })
  expect(pasted.leftOut).toEqual([])
  expect(pasted.lines.map(({ sku, name, ordered_quantity }) => [sku, name, ordered_quantity])).toEqual([
    ['KEPT', 'Kept', ''],
    ['', 'Lamp', '5'],
    ['', 'Chair', '6'],
    ['', 'Table', '7'],
  ])
})

test('pasted column names in either language assign columns, and are not a line', () => {
  const pasted = pasteInto([emptyLine()], 'Qté\tArticle\tRemarque\tDevise\n5\tSKU-1\tx\teur', { line: 0, field: 'sku' })
  expect(pasted.lines).toMatchObject([{ ordered_quantity: '5', sku: 'SKU-1', currency: 'EUR', name: '' }])
  expect(pasted.leftOut).toEqual(['Remarque'])
})

test('the labels of the form are recognised, pasted or in a sheet, in both languages', () => {
  const inSheets = columnsByHeading('purchase_orders')
  for (const { orderForm } of [en, fr]) {
    const labels = Object.entries(orderForm.fields)
    const text = `${labels.map(([, label]) => label).join('\t')}\n${labels.map(([field]) => field).join('\t')}`
    const { lines, leftOut } = pasteInto([emptyLine()], text, { line: 0, field: 'sku' })
    expect(leftOut).toEqual([])
    for (const [field] of labels) {
      expect(lines[0]?.[field as LineField].toLowerCase(), field).toBe(field)
    }
    for (const label of [...Object.values(orderForm.fields), ...Object.values(orderForm.orderFields)]) {
      expect(inSheets.get(plainHeading(label)), label).toBeDefined()
    }
  }
})

test('goods cannot be wanted before they leave the factory', () => {
  const draft = { ...emptyDraft(), desired_ex_factory_date: '2027-03-02', desired_delivery_date: '2027-03-01' }
  expect(dateFaults(draft)).toMatchObject([{ pointer: '/desired_delivery_date' }])
  expect(dateFaults({ ...draft, desired_delivery_date: '2027-03-02' })).toEqual([])
  expect(dateFaults({ ...draft, desired_delivery_date: '' })).toEqual([])
})

const order: PurchaseOrder = {
  po_number: 'PO-1',
  supplier_name: 'Lamps',
  desired_delivery_date: '2027-03-20',
  custom_parameters: [{ name: 'Season', value: 'SS27' }],
  purchase_order_lines: [
    {
      reference: '10',
      product: { sku: 'LAMP-1', is_hazardous: 'true', custom_parameters: [{ name: 'Colour', value: 'black' }] },
      ordered_quantity: 12.5,
      unit_price: { amount: 14.9, currency: 'USD' },
      assigned_order_lines: [],
    },
  ],
}

const changed = (change: (draft: OrderDraft) => Partial<OrderDraft>) => {
  const draft = draftOf(order, 'fr')
  return orderToUpdate({ ...draft, ...change(draft) }, draftOf(order, 'fr'), 'fr')
}

test('the update of an unchanged order is empty', () => {
  expect(changed(() => ({}))).toEqual({ reference: 'PO-1' })
})

test('an update has only the changed fields; lines are sent completely', () => {
  expect(changed(() => ({ supplier_id: 'Chairs' }))).toEqual({ reference: 'PO-1', supplier_id: 'Chairs' })
  const sent = changed(({ lines }) => ({ lines: [...lines, emptyLine({ sku: 'LAMP-2', ordered_quantity: '1 000' })] }))
  expect(sent).toEqual({
    reference: 'PO-1',
    product_lines: [
      {
        reference: '10',
        ordered_quantity: 12.5,
        unit_price: { amount: 14.9, currency: 'USD' },
        product: { sku: 'LAMP-1', is_hazardous: 'true', custom_parameters: [{ name: 'Colour', value: 'black' }] },
      },
      { ordered_quantity: 1000, product: { sku: 'LAMP-2' } },
    ],
  })
  expect(faultsToUpdate(sent)).toEqual([])
})

test('a cleared date is reported as an error, since the interface cannot remove it', () => {
  const sent = changed(() => ({ desired_delivery_date: '' }))
  expect(faultsToUpdate(sent)).toEqual([
    { pointer: '/desired_delivery_date', detail: 'must be an existing date in the format YYYY-MM-DD' },
  ])
})

test('empty rows are not part of an order, but an order has at least one line', () => {
  const draft = { ...emptyDraft(), lines: [emptyLine({ currency: 'USD' }), emptyLine({ sku: 'A' }), emptyLine()] }
  expect(withoutBlankRows(draft).lines.map(({ sku }) => sku)).toEqual(['A'])
  expect(withoutBlankRows(emptyDraft()).lines).toHaveLength(1)
})

test('every validation message of an order has a French translation', () => {
  const line = (rest: Partial<OrderDraft['lines'][number]>) => emptyLine({ reference: '1', ...rest })
  const drafts: OrderDraft[] = [
    emptyDraft(),
    { ...emptyDraft(), reference: 'x'.repeat(256), desired_delivery_date: '2026-02-30' },
    {
      ...emptyDraft(),
      reference: 'a\0b',
      custom_parameters: Array.from({ length: 7 }, (_, index) => ({ key: '', name: String(index), value: '\ud800' })),
      lines: [
        line({ ordered_quantity: '0', price: 'x', currency: 'XXX', volume: 'much' }),
        line({ ordered_quantity: '1e3' }),
        line({ ordered_quantity: '9999999999999999' }),
      ],
    },
  ]
  const details = new Set(
    drafts.flatMap((draft) => faultsToCreate(orderToCreate(draft, 'en'))).map(({ detail }) => detail),
  )
  expect(details.size).toBeGreaterThan(8)
  for (const detail of details) {
    const capitalized = `${detail.slice(0, 1).toUpperCase()}${detail.slice(1)}`
    expect(en.orderForm.fault(detail)).toBe(detail === 'is required' ? 'Required' : capitalized)
    expect(fr.orderForm.fault(detail), detail).not.toBe(detail)
    expect(fr.orderForm.fault(detail)).not.toMatch(/\b(?:must|is)\b|\$\d/)
  }
})

test('the error of an empty field says what to enter, in both languages', () => {
  const faults = faultsToCreate(orderToCreate(emptyDraft(), 'en'))
  const texts = (messages: typeof en) =>
    Object.fromEntries(faults.map((fault) => [fault.pointer, faultText(fault, messages)]))
  expect(texts(en)).toEqual({
    '/reference': 'Enter a reference',
    '/product_lines/0/product/sku': 'Enter an SKU',
    '/product_lines/0/ordered_quantity': 'Enter a quantity',
  })
  expect(texts(fr)).toEqual({
    '/reference': 'Saisissez une référence',
    '/product_lines/0/product/sku': 'Saisissez un SKU',
    '/product_lines/0/ordered_quantity': 'Saisissez une quantité',
  })
})

test('a telephone number that starts with a country code is dialled with a plus', () => {
  expect(telephoneOf(33468335201, 'FR')).toEqual({
    text: '+33\u00a0468\u00a0335\u00a0201',
    address: 'tel:+33468335201',
  })
  expect(telephoneOf(16175550100, 'US').address).toBe('tel:+16175550100')
  expect(telephoneOf(13812345678, 'CN').address).toBe('tel:13812345678')
  expect(telephoneOf(468335201, 'FR').address).toBe('tel:468335201')
})
