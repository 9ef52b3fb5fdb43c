import './formats.js'
import type { Static, TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Check } from 'typebox/value'
import { findFaults } from './faults.js'
import { type Fault, invalid, maxFaults } from './refusals.js'
import { isStorable, textFaults } from './stored-text.js'

/** All errors of a value, each with a message and a JSON pointer. */

export type Validator<Schema extends TSchema> = {
  schema: Schema
  /** The first of them, 100 if no number is given. */
  faultsIn(value: unknown, most?: number): Fault[]
  check(value: unknown): Static<Schema>
}

export function validatorOf<Schema extends TSchema>(schema: Schema): Validator<Schema> {
  return validatorBy(schema, Compile)
}

/** Validates without generating code, which the content security policy of the portal forbids. */
export function interpreterOf<Schema extends TSchema>(schema: Schema): Validator<Schema> {
  return validatorBy(schema, (each) => ({ Check: (value) => Check(each, value) }))
}

type Checker = { Check(value: unknown): boolean }

function validatorBy<Schema extends TSchema>(schema: Schema, compile: (schema: TSchema) => Checker): Validator<Schema> {
  // Compiled on first use, so that schemas that are never used do not delay the start.
  const checkers = new Map<TSchema, Checker>()
  function isValid(part: TSchema, value: unknown): boolean {
    const checker = checkers.get(part) ?? compile(part)
    checkers.set(part, checker)
    return checker.Check(value)
  }

  function faultsIn(value: unknown, most = maxFaults): Fault[] {
    const isText = isStorable(value)
    if (isText && isValid(schema, value)) return []
    const faults = isText ? [] : textFaults(value, most)
    // For a text that cannot be stored, other errors are irrelevant.
    const places = new Set(faults.map(({ pointer }) => pointer))
    if (faults.length >= most) return faults
    for (const fault of findFaults(schema, value, isValid)) {
      if (!places.has(fault.pointer)) faults.push(fault)
      if (faults.length >= most) break
    }
    return faults
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

/** Queries are coerced, bodies are strict: "3" is a number in a query string and an error in a body. */
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
      // Defined instead of assigned, so that a parameter called `__proto__` is reported as unknown.
      const unknown = Object.keys(query).filter((name) => !Object.hasOwn(schema.properties, name))
      for (const name of unknown) Object.defineProperty(values, name, { value: query[name], enumerable: true })
      const faults = validator.faultsIn(values).map(({ pointer, detail }) => {
        const isRepeated = Array.isArray(query[pointer.slice(1)])
        return { pointer, detail: isRepeated ? 'must be given only once' : detail }
      })
      if (faults.length > 0) throw invalid(faults)
      return values as Static<Schema>
    },
  }
}

function integerOf(text: unknown): unknown {
  return typeof text === 'string' && /^-?\d{1,15}$/.test(text) ? Number(text) : text
}
