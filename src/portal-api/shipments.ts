import type { PortalAnswer } from '../contract/portal/operations.js'
import { listValues } from '../storage/search/glances.js'
import { bringUpToDate } from '../storage/search/search-state.js'
import { findShipmentPage } from '../storage/search/shipment-pages.js'
import type { PortalHandlers } from './handlers.js'
import { shipmentSheet } from './shipment-sheet.js'
import { spreadsheetOf } from './spreadsheet.js'
import { writtenPage } from './written-page.js'

// Nobody picks from more.
const mostValues = 500

export const shipmentHandlers: PortalHandlers<'findShipments' | 'getShipmentFacets' | 'exportShipments'> = {
  async findShipments({ db, account, today }, { query }) {
    return writtenPage('shipments', await findShipmentPage(db, account, query, today))
  },

  async getShipmentFacets({ db, account }) {
    await bringUpToDate(db, account)
    const valuesOf = (facet: keyof PortalAnswer<'getShipmentFacets'>) =>
      listValues(db, account, 'shipment', facet, mostValues)
    const [status, freight_mode, origin, destination] = await Promise.all([
      valuesOf('status'),
      valuesOf('freight_mode'),
      valuesOf('origin'),
      valuesOf('destination'),
    ])
    return { status, freight_mode, origin: await withNames(origin), destination: await withNames(destination) }
  },

  async exportShipments({ db, account, person, today }, { query }) {
    const { format, ...search } = query
    return spreadsheetOf(format, await shipmentSheet(db, account, search, { language: person.language, today }))
  },
}

/** The ports of the world are loaded when somebody wants to see their names. */
async function withNames<Counted extends { value: string }>(
  values: Counted[],
): Promise<(Counted & { name?: string })[]> {
  const { placeNameOf } = await import('../geography/places.js')
  return values.map((counted) => {
    const name = placeNameOf(counted.value)
    return name === undefined ? counted : { ...counted, name }
  })
}
