import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { Errors } from 'typebox/value'
import { formatDescriptions } from './formats.js'
import { nearestName } from './nearest-name.js'
import { pointerTo } from './pointer.js'
import type { Fault } from './refusals.js'
import { findPatternMessage } from './schema.js'

/** Whether a value matches a part of the schema: much faster than searching it for errors. */
type IsValid = (schema: TSchema, value: unknown) => boolean

type Place = { path: string[]; isValid: IsValid }

/**
 * The errors of a value. They are found one after another, as the caller takes them, and counts are compared before contents:
 * TypeBox would look for all errors of a large value, which takes seconds.
 */
export function findFaults(schema: TSchema, value: unknown, isValid: IsValid): Generator<Fault, void> {
  return faultsAt(schema, value, { path: [], isValid })
}

function* faultsAt(schema: TSchema, value: unknown, place: Place): Generator<Fault, void> {
  if ('anyOf' in schema) yield* unionFaults(schema.anyOf as TSchema[], value, place)
  else if ('items' in schema && Array.isArray(value)) yield* arrayFaults(schema as ArraySchema, value, place)
  else if ('properties' in schema && isObject(value)) yield* objectFaults(schema as ObjectSchema, value, place)
  else for (const error of Errors(schema, value)) yield { pointer: pointerTo(place.path), detail: describe(error) }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type ObjectSchema = { properties: Record<string, TSchema>; required?: string[]; additionalProperties?: false }

function* objectFaults(
  { properties, required = [], additionalProperties }: ObjectSchema,
  value: Record<string, unknown>,
  { path, isValid }: Place,
): Generator<Fault, void> {
  const pointer = (name: string) => pointerTo([...path, name])
  for (const name of required) if (!Object.hasOwn(value, name)) yield { pointer: pointer(name), detail: 'is required' }
  if (additionalProperties === false) {
    const accepted = Object.keys(properties)
    for (const name in value) {
      if (!Object.hasOwn(properties, name)) yield { pointer: pointer(name), detail: notAccepted(name, accepted) }
    }
  }
  for (const [name, schema] of Object.entries(properties)) {
    const isGiven = required.includes(name) ? Object.hasOwn(value, name) : value[name] !== undefined
    if (isGiven) yield* faultsAt(schema, value[name], { path: [...path, name], isValid })
  }
}

type ArraySchema = { items: TSchema; minItems?: number; maxItems?: number; uniqueItems?: boolean }

function* arrayFaults(
  { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems = false }: ArraySchema,
  value: unknown[],
  { path, isValid }: Place,
): Generator<Fault, void> {
  const pointer = pointerTo(path)
  if (value.length < minItems)
    yield { pointer, detail: `must have at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}` }
  if (value.length > maxItems) {
    yield { pointer, detail: `must have at most ${maxItems} entries` }
    return
  }
  const seen = new Set<unknown>()
  for (const [index, item] of value.entries()) {
    // Such arrays are of texts.
    if (uniqueItems && seen.has(item)) yield { pointer: pointerTo([...path, String(index)]), detail: 'occurs twice' }
    seen.add(item)
    if (!isValid(items, item)) yield* faultsAt(items, item, { path: [...path, String(index)], isValid })
  }
}

// More of a branch are never shown.
const maxBranchFaults = 100

function* unionFaults(branches: TSchema[], value: unknown, place: Place): Generator<Fault, void> {
  const pointer = pointerTo(place.path)
  const found: Fault[][] = []
  for (const branch of branches) {
    if (place.isValid(branch, value)) return
    found.push(first(maxBranchFaults, faultsAt(branch, value, place)))
  }
  // The intended branch is the one whose errors are all below the value itself.
  const intended = found.find((faults) => faults.length > 0 && faults.every((each) => each.pointer !== pointer))
  if (intended) yield* intended
  else yield { pointer, detail: alternatives([...new Set(found.flat().map(({ detail }) => detail))]) }
}

/** "must be one of: true, false, or a boolean" */
function alternatives([head = '', ...others]: string[]): string {
  const verb = 'must be '
  const rest = others.map((each) => (head.startsWith(verb) && each.startsWith(verb) ? each.slice(verb.length) : each))
  return [head, ...rest].join(', or ')
}

function first<Item>(count: number, items: Iterable<Item>): Item[] {
  const taken: Item[] = []
  for (const item of items) {
    if (taken.length === count) break
    taken.push(item)
  }
  return taken
}

function describe(error: TLocalizedValidationError): string {
  switch (error.keyword) {
    case 'enum':
      return `must be one of: ${error.params.allowedValues.join(', ')}`
    case 'format':
      return formatDescriptions[error.params.format] ?? error.message
    case 'pattern':
      return findPatternMessage(String(error.params.pattern)) ?? 'has an invalid format'
    case 'type':
      return `must be ${article(String(error.params.type))}`
    case 'exclusiveMinimum':
      return `must be greater than ${error.params.limit}`
    case 'minimum':
      return `must be ${error.params.limit} or more`
    case 'maximum':
      return `must be ${error.params.limit} or less`
    case 'minLength':
      return error.params.limit === 1 ? 'must not be empty' : error.message
    case 'maxLength':
      return `must have at most ${error.params.limit} characters`
    default:
      return error.message
  }
}

function notAccepted(name: string, accepted: string[]): string {
  if (accepted.length === 0) return 'is not accepted here'
  const nearest = nearestName(name, accepted)
  const suggestion = nearest === undefined ? '' : ` (did you mean \`${nearest}\`?)`
  return `is not accepted here${suggestion}; accepted are: ${accepted.join(', ')}`
}

function article(type: string): string {
  return /^[aeio]/.test(type) ? `an ${type}` : type === 'null' ? type : `a ${type}`
}
