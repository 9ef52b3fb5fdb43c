import { type Static, type TEnum, type TObject, type TOptional, type TSchema, type TStringOptions, Type } from 'typebox'

type Properties = Record<string, TSchema>
type AllOptional<P extends Properties> = { [Name in keyof P]: TOptional<P[Name]> }

// Every object is closed, in requests and responses: responses have no fields beyond the interface, and unknown fields
// of a request are refused instead of ignored.
export function closed<Required extends Properties>(required: Required): TObject<Required>
export function closed<Required extends Properties, Optional extends Properties>(
  required: Required,
  optional: Optional,
): TObject<Required & AllOptional<Optional>>
export function closed(required: Properties, optional: Properties = {}): TObject {
  return closedObject(required, optional)
}

/** A closed object that is a named component of the OpenAPI description. */
export function named<Required extends Properties>(name: string, required: Required): TObject<Required>
export function named<Required extends Properties, Optional extends Properties>(
  name: string,
  required: Required,
  optional: Optional,
): TObject<Required & AllOptional<Optional>>
export function named(title: string, required: Properties, optional: Properties = {}): TObject {
  return closedObject(required, optional, { title })
}

function closedObject(required: Properties, optional: Properties, options: { title?: string } = {}): TObject {
  const optionals = Object.fromEntries(Object.entries(optional).map(([name, schema]) => [name, Type.Optional(schema)]))
  return Type.Object({ ...required, ...optionals }, { additionalProperties: false, ...options })
}

export function oneOf<const Values extends readonly string[]>(values: Values, options: Record<string, unknown> = {}) {
  return Type.Enum([...values], { type: 'string', ...options }) as TEnum<[...Values]>
}

/** The same schema with the meaning that it has in one place. The reference shows it beside that of a named component. */
export function described<Schema extends TSchema>(schema: Schema, description: string): Schema {
  return Object.assign({ ...schema }, { description })
}

/** An enumeration and the meaning of each value, which the reference lists. */
export function explained<const Values extends readonly string[]>(
  values: Values,
  description: string,
  meanings: Record<Values[number], string>,
  options: Record<string, unknown> = {},
) {
  return oneOf(values, { description, 'x-enumDescriptions': meanings, ...options })
}

const patternMessages = new Map<string, string>()

/** A string that matches a pattern. Errors show the message, never the pattern. */
export function patterned(pattern: string, message: string, options: TStringOptions = {}) {
  patternMessages.set(pattern, message)
  return Type.String({ pattern, ...options })
}

export function findPatternMessage(pattern: string): string | undefined {
  return patternMessages.get(pattern)
}

// 255 characters of at most four bytes stay well below what a PostgreSQL index entry can hold.
export const Identifier = Type.String({ minLength: 1, maxLength: 255 })
export type Identifier = Static<typeof Identifier>
