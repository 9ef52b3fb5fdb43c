import type { Location } from '../../contract/public/location.js'

/** Whether a location contains all words of a search, ignoring case and accents. */
export function matchesLocation(location: Location, q: string, countryName: string): boolean {
  const { company_name, name, address, city, zip_code, contacts = [] } = location
  const texts = [company_name, name, address, city, zip_code, countryName]
  const people = contacts.flatMap((contact) => [contact.name, contact.email, contact.phone])
  const all = plain([...texts, ...people].filter((text) => text !== undefined).join(' '))
  return plain(q)
    .split(/\s+/)
    .every((word) => all.includes(word))
}

// `sao` finds São Paulo.
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
}
