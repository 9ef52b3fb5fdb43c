/** Names of places in a French sentence: « au Havre », « du Havre », « d’Anvers ». */

const articles = /^(Le|Les) (?=\p{Lu})/u

export function toPlace(place: string): string {
  return place
    .replace(articles, (_, article: string) => (article === 'Le' ? 'au ' : 'aux '))
    .replace(/^(?!aux? )/, 'à ')
}

export function ofPlace(place: string): string {
  if (articles.test(place)) return place.replace(articles, (_, article: string) => (article === 'Le' ? 'du ' : 'des '))
  return /^[AEIOUÀÂÄÉÈÊËÎÏÔÖÙÛÜ]/i.test(place) ? `d’${place}` : `de ${place}`
}

/** « de Shanghai au Havre », without what is unknown. */
export function fromTo(from: string | undefined, to: string | undefined): string {
  return [from && ` ${ofPlace(from)}`, to && ` ${toPlace(to)}`].filter(Boolean).join('')
}
