import type { Random } from '../../src/sandbox/random.js'
import type { Schema } from './description.js'
import { faultIn } from './description.js'
import { hostileDate, hostileNumber, hostileText } from './hostile-values.js'
import { isPlainObject, Verbatim } from './json-text.js'
import { type Given, withKind } from './mutation.js'
import type { Request } from './request.js'

// Identifiers of existing resources and credentials keep their values: otherwise nothing else would be checked.
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

/** Fills a body with extreme values that its schema accepts: most are accepted, and must be shown. */
export function extremeMutation(request: Request, { random }: Given): Request | undefined {
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

/** The first extreme value that the schema accepts. */
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

// Values that cannot be stored are refused although the schema accepts them.
function isText(value: unknown): boolean {
  return typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'))
}
