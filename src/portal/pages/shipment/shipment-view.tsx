import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Shipment } from '../../../contract/shipment.js'
import { refusalCodeOf } from '../../api/client.js'
import { journeyQuery, trackingQuery } from '../../api/queries.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages, useReader } from '../../i18n/messages.js'
import { useAddressQuery } from '../../parts/address-query.js'
import { AppLink } from '../../parts/app-link.js'
import { JourneyStrip } from '../../parts/journey-strip.js'
import { Page } from '../../parts/page.js'
import { paths } from '../../paths.js'
import tabs from '../shipments/views.module.css'
import { ArrivalSection } from './arrival-section.js'
import { BookingSection } from './booking-section.js'
import { CargoSection } from './cargo-section.js'
import { DocumentsSection } from './documents-section.js'
import { GoodsSection } from './goods-section.js'
import { headline } from './headline.js'
import { InvoicesSection } from './invoices-section.js'
import { useIsPhone } from './is-phone.js'
import { LeadPlaceholder } from './lead-placeholder.js'
import { MapPanel } from './map-panel.js'
import { OrdersSection } from './orders-section.js'
import { PlacesSection } from './places-section.js'
import { sentenceDay } from './sentence-day.js'
import styles from './shipment.module.css'
import { ShipmentFacts } from './shipment-facts.js'
import { TrackingSection } from './tracking-section.js'

type Shown = { tab?: 'map'; container?: string }

function readShown({ tab, container }: Record<string, string>): Shown {
  return { ...(tab === 'map' && { tab }), ...(container && { container }) }
}

/** A shipment that is there. Every part asks for what it shows itself, and says itself what it could not get. */
export function ShipmentView({ shipment }: { shipment: Shipment }) {
  const { svc_shipment_id, name = svc_shipment_id } = shipment
  const [{ tab, container }, show] = useAddressQuery(readShown)
  const isPhone = useIsPhone()
  const journey = useQuery(journeyQuery(svc_shipment_id))
  // What is not tracked is not asked for: browsers note a refusal as an error.
  const isAsked = shipment.main_tracking_dates !== undefined || journey.data?.tracked === true || journey.isError
  const tracking = useQuery({ ...trackingQuery(svc_shipment_id), enabled: isAsked })
  const isRefused = refusalCodeOf(tracking.error) === 'tracking_not_found'
  const isUntracked = isRefused || (!isAsked && journey.data !== undefined)
  const isTrackingKnown = tracking.data !== undefined || isUntracked
  const sentence = useHeadline(shipment, tracking.data, journey.data)

  const parts = (
    <div className={styles.frame}>
      <div className={styles.columns}>
        <div className={styles.column}>
          {!isPhone && <MapPanel journey={journey} />}
          <TrackingSection
            tracking={tracking}
            isUntracked={isUntracked}
            journey={journey.data}
            container={container}
            onContainer={(number) => show({ container: number })}
          />
          <CargoSection shipment={shipment} />
          <OrdersSection shipment={shipment} />
          <DocumentsSection shipment={shipment} />
        </div>
        <div className={`${styles.column} ${styles.aside}`}>
          <BookingSection shipment={shipment} />
          <ArrivalSection shipment={shipment} tracking={tracking.data} journey={journey} />
          <GoodsSection shipment={shipment} />
          <InvoicesSection shipment={shipment} />
          <PlacesSection shipment={shipment} />
        </div>
      </div>
    </div>
  )

  return (
    <Page
      title={name}
      lead={
        isTrackingKnown || tracking.isError ? <span className={styles.sentence}>{sentence}</span> : <LeadPlaceholder />
      }
    >
      <ShipmentFacts shipment={shipment} />
      <div className={`panel ${styles.strip}`}>
        <JourneyStrip shipment={withPortNames(shipment, journey.data)} tracking={tracking.data} size="large" />
      </div>
      {isPhone && <PhoneTabs id={svc_shipment_id} shown={tab ?? 'details'} />}
      {isPhone && tab === 'map' ? <MapPanel journey={journey} /> : parts}
    </Page>
  )
}

/** The map is one touch away; both have an address, so that the way back leads from one to the other. */
function PhoneTabs({ id, shown }: { id: string; shown: 'details' | 'map' }) {
  const m = useMessages().shipment
  const tab = (name: 'details' | 'map', words: string, query: { tab?: string }) => (
    <AppLink href={paths.shipment(id, query)} className={tabs.tab} aria-current={shown === name ? 'page' : undefined}>
      {words}
    </AppLink>
  )
  return (
    <nav aria-label={m.parts} className={`${tabs.views} ${tabs.tabs} ${styles.phoneTabs}`}>
      {tab('details', m.details, {})}
      {tab('map', m.map.tab, { tab: 'map' })}
    </nav>
  )
}

/** For the strip, which shows what it is given: a port by its name, where a journey knows it. */
function withPortNames(shipment: Shipment, journey: Places | undefined): Shipment {
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

type Told = Parameters<typeof headline>[1]
type Places = { places: { name: string; unlocode?: string }[] }

function useHeadline(shipment: Shipment, tracking: Told, journey: Places | undefined): string {
  const { language, messages } = useReader()
  const today = useFormat().today()
  return useMemo(
    () =>
      headline(shipment, tracking, {
        words: messages.shipment.headline,
        day: sentenceDay(language, today),
        today,
        portName: (code) => portName(journey, code),
      }),
    [shipment, tracking, journey, messages, language, today],
  )
}
