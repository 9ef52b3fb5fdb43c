import type { Location } from '../../contract/public/location.js'
import { matchesLocation } from '../../domain/locations/location-search.js'
import { mapInSlices } from '../../jobs/in-slices.js'
import type { Cell } from '../../spreadsheet/cell.js'
import { spreadsheetFile } from '../../spreadsheet/spreadsheet-file.js'
import { streamLocationBodies } from '../../store/locations.js'
import type { PortalHandler } from '../portal-context.js'
import type { Column } from '../search/list-sheet.js'

type Row = { location: Location; country: string; contact?: NonNullable<Location['contacts']>[number] }

const columns: Column<Row>[] = [
  { en: 'Identifier', fr: 'Identifiant', of: ({ location }) => location.id },
  { en: 'Company', fr: 'Société', of: ({ location }) => location.company_name },
  { en: 'Name', fr: 'Nom', of: ({ location }) => location.name },
  { en: 'Address', fr: 'Adresse', of: ({ location }) => location.address },
  { en: 'Postal code', fr: 'Code postal', of: ({ location }) => location.zip_code },
  { en: 'City', fr: 'Ville', of: ({ location }) => location.city },
  { en: 'Country', fr: 'Pays', of: ({ country }) => country },
  { en: 'Opening hours', fr: 'Horaires', of: ({ location }) => location.opening_hours },
  { en: 'Contact', fr: 'Contact', of: ({ contact }) => contact?.name },
  { en: 'E-mail address', fr: 'Adresse e-mail', of: ({ contact }) => contact?.email },
  { en: 'Telephone', fr: 'Téléphone', of: ({ contact }) => contact?.phone },
  { en: 'Information', fr: 'Informations', of: ({ location }) => location.additional_information },
]

/** The locations that the list shows: a row for each contact, or one if there is none. */
export const exportLocations: PortalHandler<'exportLocations'> = async (
  { db, account, person: { language }, today },
  { query: { format, q = '' } },
) => {
  const countries = new Intl.DisplayNames(language, { type: 'region' })
  const nameOf = ({ country }: Location) =>
    country === undefined ? '' : (countries.of(country.toUpperCase()) ?? country)
  const pages = streamLocationBodies((work) => work(db), account, { skip: 0, take: undefined })
  async function* rows(): AsyncGenerator<Cell[][]> {
    for await (const page of pages) {
      const found = await mapInSlices(page, ([body]) => JSON.parse(String(body)) as Location)
      yield found
        .filter((location) => q === '' || matchesLocation(location, q, nameOf(location)))
        .flatMap((location) =>
          rowsOf(location, nameOf(location)).map((row) => columns.map(({ of }) => of(row) ?? null)),
        )
    }
  }
  return spreadsheetFile(format, {
    name: language === 'fr' ? 'Sites' : 'Locations',
    fileName: `locations-${today}`,
    header: columns.map((column) => column[language]),
    rows: rows(),
  })
}

function rowsOf(location: Location, country: string): Row[] {
  const { contacts = [] } = location
  return contacts.length === 0 ? [{ location, country }] : contacts.map((contact) => ({ location, country, contact }))
}
