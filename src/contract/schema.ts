import { type Static, type TEnum, type TObject, type TOptional, type TSchema, Type } from 'typebox'

type Properties = Record<string, TSchema>
type AllOptional<P extends Properties> = { [Name in keyof P]: TOptional<P[Name]> }

// No body of the interface carries a field beyond it, and nothing a client sends is dropped silently:
// every object is closed, in both directions.
export function closed<Required extends Properties>(required: Required): TObject<Required>
export function closed<Required extends Properties, Optional extends Properties>(
  required: Required,
  optional: Optional,
): TObject<Required & AllOptional<Optional>>
export function closed(required: Properties, optional: Properties = {}): TObject {
  return closedObject(required, optional)
}

/** A closed object with a name of its own in the description of the interface. */
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

// 255 characters of at most four bytes stay well below what a PostgreSQL index entry can hold.
export const Identifier = Type.String({ minLength: 1, maxLength: 255 })
export type Identifier = Static<typeof Identifier>
