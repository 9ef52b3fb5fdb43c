import type { Prisma } from './generated/client.js'

const child = { omit: { id: true, shipment_id: true, position: true }, orderBy: { position: 'asc' } } as const

/** Everything that the response of a shipment has. */
export const wholeShipment = {
  omit: { id: true, account_id: true, listed_at: true },
  include: { containers: child, loads: child },
} as const satisfies Pick<Prisma.ShipmentFindManyArgs, 'omit' | 'include'>
