import type { Static, TObject } from 'typebox'

/**
 * Fields in the order of the schema, without undefined ones: equal records are rendered to the same bytes.
 */
export function inInterfaceOrder<Schema extends TObject>(schema: Schema, values: Static<Schema>): Static<Schema> {
  const ordered: Record<string, unknown> = {}
  for (const name of Object.keys(schema.properties)) {
    const value = (values as Record<string, unknown>)[name]
    if (value !== undefined) ordered[name] = value
  }
  return ordered as Static<Schema>
}
