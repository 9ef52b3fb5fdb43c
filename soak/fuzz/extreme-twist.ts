import type { Random } from '../../src/sandbox/random.js'
import type { Schema } from './description.js'
import { faultIn } from './description.js'
import { hostileDate, hostileNumber, hostileText } from './hostile-values.js'
import { isPlainObject, Verbatim } from './json-text.js'
import type { Request } from './request.js'
import { type Given, withKind } from './twist.js'

// They name something that is there, or let somebody in: with other values nothing else would be looked at.
const names = new Set([
  'pickup_location_id',
  'delivery_location_id',
  'location_id',
  'container_number',
  'step',
  'current_password',
  'slug',
  'email',
  'currency',
  'assigned_quantity',
  'shipped_quantity',
])
const creates = /\.(?:create|draft)/

/** Fills a body with the oddest values that its schema takes: most of them are accepted, and have to be shown. */
export function extremeTwist(request: Request, { random }: Given): Request | undefined {
  const { body, operation } = request
  if (body?.is !== 'json') return undefined
  const isNew = creates.test(operation.name)
  const share = random.pick([0.15, 0.4, 0.8])

  function filled(value: unknown, schema: Schema, name: string, depth: number): unknown {
    const branch = schema.anyOf?.find((each) => faultIn(each, value) === undefined) ?? schema
    if (Array.isArray(value)) return value.map((item) => filled(item, branch.items ?? {}, name, depth))
    if (isPlainObject(value)) {
      const fields = Object.entries(value).map(([field, part]) => [
        field,
        filled(part, branch.properties?.[field] ?? {}, field, depth + 1),
      ])
      return Object.fromEntries(fields) as object
    }
    const isName = names.has(name) || (/^(?:reference|svc_shipment_id|id)$/.test(name) && !(isNew && depth === 1))
    if (isName || !random.chance(share)) return value
    return extremeOf(branch, random) ?? value
  }

  const value = filled(body.value, operation.body?.schema ?? {}, '', 0)
  return withKind(request, 'extreme values', { body: { is: 'json', value } })
}

/** The first of some odd values that the schema takes. */
function extremeOf(schema: Schema, random: Random): unknown {
  const { type, format, enum: values, maxLength = 3000 } = schema
  if (values !== undefined) return undefined
  for (let tries = 0; tries < 6; tries += 1) {
    const value = oddValue(type, format, maxLength, random)
    const isTaken = faultIn(schema, value instanceof Verbatim ? Number(value.text) : value) === undefined
    if (isTaken && isText(value)) return value
  }
  return undefined
}

function oddValue(type: string | undefined, format: string | undefined, longest: number, random: Random): unknown {
  if (format === 'date' || format === 'date-time') return hostileDate(random, format).value
  if (type === 'string') return hostileText(random, { longest }).value
  if (type === 'number' || type === 'integer') return hostileNumber(random).value
  return undefined
}

// What cannot be stored is refused, whatever the schema says.
function isText(value: unknown): boolean {
  return typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'))
}
