import type { Result } from './palette-dialog.js'

/** Matches the beginnings of words, ignoring accents. */
export function matching(items: Result[], q: string): Result[] {
  const wanted = plain(q).split(/\s+/)
  return items.filter(({ title }) => {
    const words = plain(title).split(/[\s’']+/)
    return wanted.every((start) => words.some((word) => word.startsWith(start)))
  })
}

export function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
