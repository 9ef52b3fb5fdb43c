import type { Language } from '../../../../src/contract/portal/people.js'

/** A day within a sentence: "Thu 9 Apr", « jeudi 9 avril »; with its year unless it is the current one. */
export function sentenceDay(language: Language, today: string): (date: string) => string {
  const format = new Intl.DateTimeFormat(language === 'fr' ? 'fr-FR' : 'en-GB', {
    timeZone: 'UTC',
    weekday: language === 'fr' ? 'long' : 'short',
    day: 'numeric',
    month: language === 'fr' ? 'long' : 'short',
    year: 'numeric',
  })
  return (date) => {
    const parts = new Map(
      format.formatToParts(new Date(`${date.slice(0, 10)}T00:00:00Z`)).map((part) => [part.type, part.value]),
    )
    const day = language === 'fr' && parts.get('day') === '1' ? '1er' : parts.get('day')
    const year = date.slice(0, 4) === today.slice(0, 4) ? [] : [parts.get('year')]
    return [parts.get('weekday'), day, parts.get('month'), ...year].join(' ')
  }
}
