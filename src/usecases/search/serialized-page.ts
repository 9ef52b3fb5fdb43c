import type { Page } from '../../store/search/page.js'
import { SerializedJson } from '../portal-context.js'

/** A page built from stored bodies without parsing them. */
export function serializedPage(
  name: string,
  { bodies, count, next }: Pick<Page, 'bodies' | 'count' | 'next'>,
): SerializedJson {
  const rest = JSON.stringify({ count, ...(next !== undefined && { next }) }).slice(1)
  return new SerializedJson(`{"${name}":[${bodies.join(',')}],${rest}`)
}
