import type { PortalResponse } from '../../contract/portal/operations.js'
import { listFacetValues } from '../../store/search/overview.js'
import { updateSearchIndex } from '../../store/search/search-state.js'
import type { PortalHandler } from '../portal-context.js'

// More than a person would pick from in a list.
const mostValues = 500

/** The values that shipments can be filtered by, with their counts. */
export const getShipmentFacets: PortalHandler<'getShipmentFacets'> = async ({ db, account }) => {
  await updateSearchIndex(db, account)
  const valuesOf = (facet: keyof PortalResponse<'getShipmentFacets'>) =>
    listFacetValues(db, account, 'shipment', facet, mostValues)
  const [status, freight_mode, origin, destination] = await Promise.all([
    valuesOf('status'),
    valuesOf('freight_mode'),
    valuesOf('origin'),
    valuesOf('destination'),
  ])
  return { status, freight_mode, origin: await withNames(origin), destination: await withNames(destination) }
}

async function withNames<Counted extends { value: string }>(
  values: Counted[],
): Promise<(Counted & { name?: string })[]> {
  // Loaded on first use: the port data is large.
  const { placeNameOf } = await import('../../geography/places.js')
  return values.map((counted) => {
    const name = placeNameOf(counted.value)
    return name === undefined ? counted : { ...counted, name }
  })
}
