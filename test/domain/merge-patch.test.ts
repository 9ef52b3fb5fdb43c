import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergePatch } from '../../src/domain/records/merge-patch.js'

// RFC 7396, appendix A: target, patch, result.
test.each([
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
])('%s patched with %s is %s', (target, patch, result) => {
  expect(JSON.stringify(mergePatch(JSON.parse(target), JSON.parse(patch)))).toBe(result)
})

// RFC 7396, section 3.
test('nested fields are changed, and fields that the patch does not name are kept', () => {
  const target = {
    title: 'Goodbye!',
    author: { givenName: 'John', familyName: 'Doe' },
    tags: ['example', 'sample'],
    content: 'This will be unchanged',
  }
  const patch = { title: 'Hello!', phoneNumber: '+01-123-456-7890', author: { familyName: null }, tags: ['example'] }
  expect(mergePatch(target, patch)).toEqual({
    title: 'Hello!',
    author: { givenName: 'John' },
    tags: ['example'],
    content: 'This will be unchanged',
    phoneNumber: '+01-123-456-7890',
  })
})

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'a field called %s is merged like any other',
  (name) => {
    const patch: unknown = JSON.parse(`{"${name}":{"polluted":true}}`)
    const merged = mergePatch({}, patch) as object
    expect(JSON.stringify(merged)).toBe(JSON.stringify(patch))
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
    expect('polluted' in {}).toBe(false)
    expect(mergePatch(merged, JSON.parse(`{"${name}":null}`))).toEqual({})
  },
)

test('target and patch are not modified', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (target, patch) => {
      const before = JSON.stringify([target, patch])
      mergePatch(deepFreeze(target), deepFreeze(patch))
      expect(JSON.stringify([target, patch])).toBe(before)
    }),
  )
})

test('applying a patch is idempotent', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (target, patch) => {
      const once = mergePatch(target, patch)
      expect(JSON.stringify(mergePatch(once, patch))).toBe(JSON.stringify(once))
    }),
  )
})

function deepFreeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null)
    for (const item of Object.values(Object.freeze(value))) deepFreeze(item)
  return value
}
