import { type TObject, type TSchema, Type } from 'typebox'

/**
 * The schema of a merge patch (RFC 7396) for a closed object: any of its fields, at any depth; null removes one. The
 * patched object is validated separately.
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

// TypeBox marks a schema as optional within its object: inside a union the marker is wrong.
function required(schema: TSchema): TSchema {
  return Type.Required(Type.Object({ only: schema })).properties.only
}
