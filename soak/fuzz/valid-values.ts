import type { Random } from '../../src/sandbox/random.js'
import type { Schema } from './description.js'
import { textMatching } from './pattern-text.js'

/** A specific value for a field, such as the identifier of an existing resource. */
export type Hint = (name: string, place: { depth: number; index: number }) => unknown

const texts = [
  'Pendant lamp',
  'Müller & Söhne',
  'Vollhöfner Weiden 12',
  '宁波灯具',
  'Ørsted, "Nord"',
  'Gate in',
  'Vessel departed',
  '2nd floor; ring twice',
  'a',
  'Κιβώτια 40′',
]

/** A value that the schema accepts. */
export function validValue(schema: Schema, random: Random, hint: Hint): unknown {
  return valueOf(schema, '', { depth: 0, index: 0 })

  function valueOf(node: Schema, name: string, place: { depth: number; index: number }): unknown {
    const hinted = hint(name, place)
    if (hinted !== undefined) return hinted
    if (node.const !== undefined) return node.const
    if (node.enum) return random.pick(node.enum)
    if (node.anyOf) return valueOf(random.pick(node.anyOf), name, place)
    switch (node.type) {
      case 'string':
        return validText(node, random)
      case 'integer':
        return random.integer(...rangeOf(node))
      case 'number':
        return random.chance(0.5) ? random.integer(...rangeOf(node)) : random.decimal(...rangeOf(node), 2)
      case 'boolean':
        return random.chance(0.5)
      case 'null':
        return null
      case 'array':
        return arrayOf(node, name, place.depth)
      case 'object':
        return objectOf(node, place)
      default:
        return random.pick(texts)
    }
  }

  function arrayOf({ items = {}, minItems = 0, maxItems = 3 }: Schema, name: string, depth: number): unknown[] {
    const length = random.integer(minItems, Math.min(maxItems, minItems + 2))
    return Array.from({ length }, (_, index) => valueOf(items, `${name}[]`, { depth, index }))
  }

  function objectOf({ properties = {}, required = [] }: Schema, { depth, index }: { depth: number; index: number }) {
    const chosen = Object.entries(properties).filter(([name]) => required.includes(name) || random.chance(0.5))
    const fields = chosen.map(([name, field]) => [name, valueOf(field, name, { depth: depth + 1, index })])
    return Object.fromEntries(fields) as object
  }
}

function validText({ format, pattern, minLength = 0, maxLength = 100 }: Schema, random: Random): string {
  if (format === 'date') return dateOf(random)
  if (format === 'date-time')
    return `${dateOf(random)}T${random.pick(['10:00:00Z', '23:30:00+08:00', '00:00:00.5-05:00'])}`
  if (format === 'uuid') return random.uuid()
  if (pattern !== undefined) return textMatching(pattern, random, { least: minLength, most: maxLength })
  const text = random.pick(texts)
  return text.length < minLength ? text.padEnd(minLength, 'x') : text.slice(0, maxLength)
}

function dateOf(random: Random): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${random.integer(2025, 2027)}-${two(random.integer(1, 12))}-${two(random.integer(1, 28))}`
}

// Small numbers, so that ordered, assigned and paid amounts often match.
function rangeOf({ minimum, maximum, exclusiveMinimum }: Schema): [number, number] {
  const least =
    minimum !== undefined && minimum > -1000 ? minimum : exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1
  return [least, Math.min(maximum ?? 1000, least + 20)]
}
