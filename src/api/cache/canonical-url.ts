import type { Operation } from '../../contract/operation.js'
import { fillTemplate } from '../transport/input.js'

type Input = { params?: unknown; query?: unknown }

/**
 * The shortest URL of a validated request, without defaults and in the order of the schema: one cache key for one response,
 * however clients write its URL.
 */
export function canonicalUrl(
  { path, query: schema }: Pick<Operation, 'path' | 'query'>,
  { params, query }: Input,
): string {
  const values = (query ?? {}) as Record<string, unknown>
  const pairs = Object.entries(schema?.properties ?? {}).flatMap(([name, property]) => {
    const value = values[name]
    const isDefault = value === undefined || ('default' in property && value === property.default)
    return isDefault ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value as string | number)}`]
  })
  const address = fillTemplate(path, (params ?? {}) as Record<string, unknown>)
  return pairs.length === 0 ? address : `${address}?${pairs.join('&')}`
}
