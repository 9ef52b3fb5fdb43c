import { useMemo } from 'react'
import type { Shipment } from '../../../../src/contract/public/shipment.js'
import type { Tracking } from '../../../../src/contract/public/tracking.js'
import { useFormat } from '../../i18n/format.js'
import { useReader } from '../../i18n/messages.js'
import { headline } from './headline.js'
import { sentenceDay } from './sentence-day.js'

/** Replaces port codes by the names that the journey knows. */
export function withPortNames(shipment: Shipment, journey: Places | undefined): Shipment {
  const { origin_port_unlocode: origin, destination_port_unlocode: destination } = shipment.route ?? {}
  return {
    ...shipment,
    route: {
      ...shipment.route,
      ...(origin && { origin_port_unlocode: portName(journey, origin) ?? origin }),
      ...(destination && { destination_port_unlocode: portName(journey, destination) ?? destination }),
    },
  }
}

function portName(journey: Places | undefined, code: string): string | undefined {
  return journey?.places.find(({ unlocode }) => unlocode === code)?.name
}

type Places = { places: { name: string; unlocode?: string }[] }

/** The first sentence of a shipment's page. */
export function useHeadline(shipment: Shipment, tracking: Tracking | undefined, journey: Places | undefined): string {
  const { language, messages } = useReader()
  const today = useFormat().today()
  return useMemo(
    () =>
      headline(shipment, tracking, {
        texts: messages.shipment.headline,
        day: sentenceDay(language, today),
        today,
        portName: (code) => portName(journey, code),
      }),
    [shipment, tracking, journey, messages, language, today],
  )
}
