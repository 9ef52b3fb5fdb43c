import { type TSchema, Type } from 'typebox'
import { expect, test } from 'vitest'
import { ImportEnvelope, importData } from '../../src/contract/import-line.js'
import { nearestName } from '../../src/contract/nearest-name.js'
import { officeOperations } from '../../src/contract/office/operations.js'
import { operatorOperations } from '../../src/contract/operator/operations.js'
import { portalOperations } from '../../src/contract/portal/operations.js'
import { operations } from '../../src/contract/public/operations.js'
import { findPatternMessage } from '../../src/contract/schema.js'
import { validatorOf } from '../../src/contract/validation.js'
import { tables } from '../../src/ingest/tables/columns.js'

/** Faults in words: nobody is shown a regular expression. */

const regularExpression = /[\^$\\]|\(\?|\[.+\]|\{\d/

function patternsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  const own = 'pattern' in node && typeof node.pattern === 'string' ? [node.pattern] : []
  return [...own, ...Object.values(node).flatMap(patternsIn)]
}

const patterns = [
  ...new Set(
    patternsIn([
      operations,
      operatorOperations,
      portalOperations,
      officeOperations,
      importData,
      ImportEnvelope,
      tables,
    ]),
  ),
]

test('the interfaces have patterns that this looks at', () => {
  expect(patterns.length).toBeGreaterThan(6)
})

test.each(patterns)('what does not match %s is refused with words on what to write', (pattern) => {
  const words = findPatternMessage(pattern)
  expect(words).toMatch(/^must /)
  expect(words).not.toMatch(regularExpression)
  // No pattern of ours takes a line break alone.
  expect(validatorOf(Type.String({ pattern })).faultsIn('\n')).toEqual([{ pointer: '', detail: words }])
})

test('a pattern without words is not shown either', () => {
  const schema: TSchema = Type.Object({ code: Type.String({ pattern: '^[x]{3}$' }) })
  const [fault] = validatorOf(schema).faultsIn({ code: 'y' })
  expect(fault?.pointer).toBe('/code')
  expect(fault?.detail).not.toMatch(regularExpression)
})

test.each([
  ['refrence', 'reference'],
  ['Reference', 'reference'],
  ['productLines', 'product_lines'],
  ['product-line', 'product_lines'],
  ['suplier_id', 'supplier_id'],
  ['po_number', undefined],
  ['x', undefined],
  ['lines', undefined],
])('close to %s is %s', (name, expected) => {
  expect(nearestName(name, ['reference', 'product_lines', 'supplier_id', 'desired_delivery_date'])).toBe(expected)
})

test('a name of any length is compared at once', () => {
  expect(nearestName('x'.repeat(4_000_000), ['reference'])).toBeUndefined()
})
