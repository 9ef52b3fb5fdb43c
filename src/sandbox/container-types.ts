import type { ContainerType } from '../contract/public/shipment.js'

/** Capacities of containers: kilograms, cubic metres and TEU. */

type Capacity = { payloadKg: number; volume: number; teus: 1 | 2 }

export const containerCapacities = {
  twenty_foot_standard: { payloadKg: 28_200, volume: 33.2, teus: 1 },
  twenty_foot_reefer: { payloadKg: 27_400, volume: 28.3, teus: 1 },
  twenty_foot_flat_rack: { payloadKg: 31_200, volume: 27.9, teus: 1 },
  twenty_foot_open_top: { payloadKg: 28_100, volume: 32.0, teus: 1 },
  forty_foot_standard: { payloadKg: 26_700, volume: 67.7, teus: 2 },
  forty_foot_reefer: { payloadKg: 27_700, volume: 59.3, teus: 2 },
  forty_foot_flat_rack: { payloadKg: 40_100, volume: 54.0, teus: 2 },
  forty_foot_open_top: { payloadKg: 26_600, volume: 65.9, teus: 2 },
  forty_foot_highcube_standard: { payloadKg: 26_500, volume: 76.3, teus: 2 },
  forty_foot_highcube_reefer: { payloadKg: 29_500, volume: 67.6, teus: 2 },
  forty_foot_highcube_flat_rack: { payloadKg: 39_300, volume: 62.0, teus: 2 },
  forty_foot_highcube_open_top: { payloadKg: 26_200, volume: 74.0, teus: 2 },
  forty_five_foot_highcube_standard: { payloadKg: 27_700, volume: 86.0, teus: 2 },
} as const satisfies Record<ContainerType, Capacity>
