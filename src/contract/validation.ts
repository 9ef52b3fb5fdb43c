import './formats.js'
import type { Static, TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'
import { Check, Errors } from 'typebox/value'
import { formatDescriptions } from './formats.js'
import { type Fault, invalid } from './refusals.js'

/** Every fault of a value, in words, each with a JSON pointer to its place. */

// A client wants all faults at once; a thousand of the same kind help nobody.
const mostFaults = 100
const deepestNesting = 64
Settings.Set({ maxErrors: mostFaults })

export type Validator<Schema extends TSchema> = {
  schema: Schema
  faultsIn(value: unknown): Fault[]
  check(value: unknown): Static<Schema>
}

export function validatorOf<Schema extends TSchema>(schema: Schema): Validator<Schema> {
  return validatorBy(schema, () => Compile(schema))
}

/** The same without making code of the schema, which is what the content security policy of a page forbids. */
export function interpreterOf<Schema extends TSchema>(schema: Schema): Validator<Schema> {
  return validatorBy(schema, () => ({
    Check: (value) => Check(schema, value),
    Errors: (value) => Errors(schema, value),
  }))
}

type Judge = { Check(value: unknown): boolean; Errors(value: unknown): TLocalizedValidationError[] }

function validatorBy<Schema extends TSchema>(schema: Schema, compile: () => Judge): Validator<Schema> {
  // When it is first needed: a service that starts need not wait for what nobody may ask for.
  let compiled: Judge | undefined
  function faultsIn(value: unknown): Fault[] {
    compiled ??= compile()
    if (compiled.Check(value) && isStorable(value)) return []
    return [...textFaults(value), ...describe(schema, compiled.Errors(value))].slice(0, mostFaults)
  }
  return {
    schema,
    faultsIn,
    check(value) {
      const faults = faultsIn(value)
      if (faults.length > 0) throw invalid(faults)
      return value as Static<Schema>
    },
  }
}

/** Coerced queries, strict bodies: "3" is a number in a query string and a fault in a body. */
export function queryValidatorOf<Schema extends TObject>(schema: Schema) {
  const validator = validatorOf(schema)
  return {
    check(query: Record<string, unknown>): Static<Schema> {
      const values: Record<string, unknown> = {}
      for (const [name, property] of Object.entries(schema.properties)) {
        const value = query[name]
        if (value === undefined) {
          if ('default' in property) values[name] = property.default
        } else {
          values[name] = 'type' in property && property.type === 'integer' ? integerOf(value) : value
        }
      }
      // Defined, not assigned: a parameter called `__proto__` is an unknown one like any other.
      const unknown = Object.keys(query).filter((name) => !Object.hasOwn(schema.properties, name))
      for (const name of unknown) Object.defineProperty(values, name, { value: query[name], enumerable: true })
      return validator.check(values)
    },
  }
}

function integerOf(text: unknown): unknown {
  return typeof text === 'string' && /^-?\d{1,15}$/.test(text) ? Number(text) : text
}

// PostgreSQL's text holds no NUL, and a lone surrogate is no character: stored, it would come back as another.
function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (depth === deepestNesting) return false
  for (const name in value) if (!isStorable((value as Record<string, unknown>)[name], depth + 1)) return false
  return true
}

/** The same in words, for a value that is not. */
function textFaults(value: unknown, pointer = '', depth = 0): Fault[] {
  if (typeof value === 'string') {
    if (value.includes('\0')) return [{ pointer, detail: 'must not contain the NUL character' }]
    if (!value.isWellFormed()) return [{ pointer, detail: 'must be well-formed Unicode' }]
    return []
  }
  if (typeof value !== 'object' || value === null) return []
  if (depth === deepestNesting) return [{ pointer, detail: `must not be nested deeper than ${deepestNesting} levels` }]
  const faults: Fault[] = []
  for (const name in value) {
    if (faults.length >= mostFaults) break
    const item = (value as Record<string, unknown>)[name]
    if (typeof item === 'string' || typeof item === 'object') {
      faults.push(...textFaults(item, `${pointer}/${escaped(name)}`, depth + 1))
    }
  }
  return faults
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function describe(schema: TSchema, errors: TLocalizedValidationError[]): Fault[] {
  // The branches of a union report their own errors first; the union's own fault sums them up.
  const unions = errors.filter((error) => error.keyword === 'anyOf')
  return errors
    .filter((error) => !unions.some((union) => isWithin(union, error)))
    .flatMap((error) => {
      if (error.keyword !== 'anyOf') return describeOne(schema, error)
      return describeUnion(
        schema,
        error,
        errors.filter((each) => isWithin(error, each)),
      )
    })
}

function isWithin(union: TLocalizedValidationError, { schemaPath, instancePath }: TLocalizedValidationError): boolean {
  const isThere = instancePath === union.instancePath || instancePath.startsWith(`${union.instancePath}/`)
  return isThere && schemaPath.startsWith(`${union.schemaPath}/anyOf/`)
}

function describeUnion(
  schema: TSchema,
  union: TLocalizedValidationError,
  within: TLocalizedValidationError[],
): Fault[] {
  const branchOf = ({ schemaPath }: TLocalizedValidationError) =>
    schemaPath.slice(union.schemaPath.length).split('/')[2]
  const branches = [...new Set(within.map(branchOf))].map((branch) =>
    describe(
      schema,
      within.filter((error) => branchOf(error) === branch),
    ),
  )
  // In the branch that the value was meant for, all that is wrong lies deeper.
  const meant = branches.find(
    (faults) => faults.length > 0 && faults.every((each) => each.pointer !== union.instancePath),
  )
  if (meant) return meant
  const details = branches.flat().map(({ detail }) => detail)
  return [{ pointer: union.instancePath, detail: [...new Set(details)].join(', or ') }]
}

function describeOne(schema: TSchema, error: TLocalizedValidationError): Fault[] {
  const pointer = error.instancePath
  switch (error.keyword) {
    // One for every field that a closed object does not have; the object's own error comes last, and sums them up.
    case 'boolean': {
      const object = error.schemaPath.replace(/\/additionalProperties$/, '')
      const accepted = Object.keys(propertiesAt(schema, object)).join(', ')
      return [
        { pointer, detail: accepted ? `is not accepted here; accepted are: ${accepted}` : 'is not accepted here' },
      ]
    }
    case 'additionalProperties':
      return []
    case 'required':
      return error.params.requiredProperties.map((name) => ({
        pointer: `${pointer}/${escaped(name)}`,
        detail: 'is required',
      }))
    case 'enum':
      return [{ pointer, detail: `must be one of: ${error.params.allowedValues.join(', ')}` }]
    case 'format':
      return [{ pointer, detail: formatDescriptions[error.params.format] ?? error.message }]
    case 'type':
      return [{ pointer, detail: `must be ${article(String(error.params.type))}` }]
    case 'exclusiveMinimum':
      return [{ pointer, detail: `must be greater than ${error.params.limit}` }]
    case 'minimum':
      return [{ pointer, detail: `must be ${error.params.limit} or more` }]
    case 'maximum':
      return [{ pointer, detail: `must be ${error.params.limit} or less` }]
    case 'minLength':
      return [{ pointer, detail: error.params.limit === 1 ? 'must not be empty' : error.message }]
    case 'maxLength':
      return [{ pointer, detail: `must have at most ${error.params.limit} characters` }]
    case 'minItems':
      return [
        {
          pointer,
          detail: `must have at least ${error.params.limit} ${error.params.limit === 1 ? 'entry' : 'entries'}`,
        },
      ]
    case 'maxItems':
      return [{ pointer, detail: `must have at most ${error.params.limit} entries` }]
    default:
      return [{ pointer, detail: error.message }]
  }
}

function article(type: string): string {
  return /^[aeio]/.test(type) ? `an ${type}` : type === 'null' ? type : `a ${type}`
}

function propertiesAt(schema: TSchema, schemaPath: string): Record<string, unknown> {
  const steps = schemaPath.split('/').slice(1)
  const place = steps.reduce<unknown>((node, step) => (node as Record<string, unknown> | undefined)?.[step], schema)
  return (place as { properties?: Record<string, unknown> } | undefined)?.properties ?? {}
}
