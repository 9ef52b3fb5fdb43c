import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { validatorOf } from '../../src/contract/validation.js'

test('an entry that occurs twice is named where entries must differ', () => {
  const { faultsIn } = validatorOf(Type.Array(Type.String(), { uniqueItems: true }))
  expect(faultsIn(['a', 'b'])).toEqual([])
  expect(faultsIn(['a', 'b', 'a'])).toEqual([{ pointer: '/2', detail: 'occurs twice' }])
})
