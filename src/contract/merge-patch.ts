import { type TObject, type TSchema, Type } from 'typebox'

/**
 * What may be sent as a merge patch (RFC 7396) of a closed object: any of its fields, in any depth; null takes one
 * away. What the patch leads to is checked by itself.
 */
export function mergePatchOf(title: string, schema: TObject): TObject {
  return patchOf(schema, { title })
}

function patchOf(schema: TObject, options: { title?: string } = {}): TObject {
  const fields = Object.entries(schema.properties).map(([name, field]) => [
    name,
    Type.Optional(Type.Union([isClosedObject(field) ? patchOf(field) : required(field), Type.Null()])),
  ])
  return Type.Object(Object.fromEntries(fields), { additionalProperties: false, ...options })
}

function isClosedObject(schema: TSchema): schema is TObject {
  return 'properties' in schema
}

// The mark of an optional field belongs to its place in the object, not into a union.
function required(schema: TSchema): TSchema {
  return Type.Required(Type.Object({ only: schema })).properties.only
}
