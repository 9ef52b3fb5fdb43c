import type { PortalResponse } from '../../../../src/contract/portal/operations.js'

export type ShipmentFacets = PortalResponse<'getShipmentFacets'>

/** Names of ports by code. Shipments only have codes; unknown ones are shown as they are. */
export type PortNames = (code: string) => string

export function portNamesOf(facets: ShipmentFacets | undefined): PortNames {
  const names = new Map<string, string>()
  for (const { value, name } of [...(facets?.origin ?? []), ...(facets?.destination ?? [])]) {
    if (name !== undefined) names.set(value, name)
  }
  return (code) => names.get(code) ?? code
}
