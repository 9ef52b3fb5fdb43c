import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isUnchanged, recordChanges } from '../../../src/domain/records/record-changes.js'

test('two records are unchanged exactly if there are no changes between them', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      fc.constantFrom(0, 1, '', 'a', null, undefined, true),
      fc.array(tie('any'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b', '0'), tie('any'), { maxKeys: 2 }),
    ),
  })).any
  fc.assert(
    fc.property(value, value, (before, after) => {
      expect(isUnchanged(before, after)).toBe(recordChanges(before, after).length === 0)
      expect(isUnchanged(before, structuredClone(before))).toBe(true)
    }),
    { numRuns: 500 },
  )
})
