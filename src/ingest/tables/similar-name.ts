import { nearestName } from '../../contract/nearest-name.js'

/** The column that was probably meant: misspelled, or only its end or beginning (`sku` for `product_lines.product.sku`). */
export function similarName(text: string, names: string[]): string | undefined {
  const written = normalized(text)
  const endings = names.filter((name) => normalized(name).endsWith(`_${written}`))
  const beginnings = names.filter((name) => normalized(name).startsWith(`${written}_`))
  return (
    nearestName(text, names) ?? [endings, beginnings].find(({ length }) => length === 1)?.[0] ?? byLastPart(text, names)
  )
}

/** By the last part of its name, if only one column has it. */
function byLastPart(text: string, names: string[]): string | undefined {
  const nearest = nearestName(text, names.map(lastPartOf))
  const [only, ...others] = names.filter((name) => lastPartOf(name) === nearest)
  return others.length === 0 ? only : undefined
}

function lastPartOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

function normalized(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '_')
}
