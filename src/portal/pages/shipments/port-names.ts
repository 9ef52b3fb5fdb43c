import type { PortalAnswer } from '../../../contract/portal/operations.js'

export type ShipmentFacets = PortalAnswer<'getShipmentFacets'>

/** What a port is called. Shipments know it by its code only; an unknown code stays one. */
export type PortNames = (code: string) => string

export function portNamesOf(facets: ShipmentFacets | undefined): PortNames {
  const names = new Map<string, string>()
  for (const { value, name } of [...(facets?.origin ?? []), ...(facets?.destination ?? [])]) {
    if (name !== undefined) names.set(value, name)
  }
  return (code) => names.get(code) ?? code
}
