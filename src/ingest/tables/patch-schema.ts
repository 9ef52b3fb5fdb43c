import type { TSchema } from 'typebox'

/** The schema of a patch: its values are checked, but none is required. */
export function withoutRequired(schema: TSchema): TSchema {
  const {
    required: _required,
    minItems: _minItems,
    ...rest
  } = schema as TSchema & { required?: string[]; minItems?: number }
  const { properties, items } = rest as { properties?: Record<string, TSchema>; items?: TSchema }
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, withoutRequired(each)])),
    }),
    ...(items && { items: withoutRequired(items) }),
  }
}
