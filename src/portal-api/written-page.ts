import type { Page } from '../storage/search/page.js'
import { Written } from './handlers.js'

/** A page of bodies as they are stored: nobody parses them on the way. */
export function writtenPage(name: string, { bodies, count, next }: Pick<Page, 'bodies' | 'count' | 'next'>): Written {
  const rest = JSON.stringify({ count, ...(next !== undefined && { next }) }).slice(1)
  return new Written(`{"${name}":[${bodies.join(',')}],${rest}`)
}
