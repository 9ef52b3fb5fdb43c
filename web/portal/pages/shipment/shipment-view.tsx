import { IconShare3 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { mayInPortal } from '../../../../src/contract/portal/rights.js'
import type { Shipment } from '../../../../src/contract/public/shipment.js'
import { useAddressQuery } from '../../../ui/address-query.js'
import { AppLink } from '../../../ui/app-link.js'
import { BackLink } from '../../../ui/back-link.js'
import { Button } from '../../../ui/button.js'
import { useIsWide } from '../../../ui/element-width.js'
import { JourneyStrip } from '../../../ui/journey-strip.js'
import { useIsPhone } from '../../../ui/media-query.js'
import { Page } from '../../../ui/page.js'
import { SectionLinks } from '../../../ui/section-links.js'
import { hasDraft } from '../../../ui/use-draft.js'
import { refusalCodeOf } from '../../api/client.js'
import { journeyQuery, trackingQuery } from '../../api/queries.js'
import { useSession } from '../../api/session.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { ConversationSection } from '../conversation/conversation-section.js'
import { OpenExceptions } from '../exceptions/open-exceptions.js'
import { DelayPanel } from '../inbound/delay-panel.js'
import { WatchButton } from '../notifications/watch-button.js'
import tabs from '../shipments/views.module.css'
import { ArrivalSection } from './arrival-section.js'
import { BookingSection } from './booking-section.js'
import { CargoSection } from './cargo-section.js'
import { DocumentsSection } from './documents-section.js'
import { FreeTimeSection } from './free-time-section.js'
import { GoodsSection } from './goods-section.js'
import { InvoicesSection } from './invoices-section.js'
import { LeadPlaceholder } from './lead-placeholder.js'
import { MapPanel } from './map-panel.js'
import { OrdersSection } from './orders-section.js'
import { PlacesSection } from './places-section.js'
import { ShareDialog, sharingDraft } from './share-dialog.js'
import styles from './shipment.module.css'
import { ShipmentFacts } from './shipment-facts.js'
import { trackedBy } from './tracked.js'
import { TrackingSection } from './tracking-section.js'
import { useHeadline, withPortNames } from './use-headline.js'
import { WhySection } from './why-section.js'

// As in the style sheet.
const twoColumns = 940

type Shown = { tab?: 'map'; container?: string }

function readShown({ tab, container }: Record<string, string>): Shown {
  return { ...(tab === 'map' && { tab }), ...(container && { container }) }
}

/** A loaded shipment. Each section fetches its own data and shows its own errors. */
export function ShipmentView({ shipment }: { shipment: Shipment }) {
  const { svc_shipment_id, name = svc_shipment_id } = shipment
  const [{ tab, container }, show] = useAddressQuery(readShown)
  const isPhone = useIsPhone()
  // Documents are near the top: beside the rest, or among it.
  const frame = useRef<HTMLDivElement>(null)
  const isWide = useIsWide(frame, twoColumns)
  const journey = useQuery(journeyQuery(svc_shipment_id))
  // Not requested for untracked shipments: browsers log a refusal as an error.
  const isRequested = shipment.main_tracking_dates !== undefined || journey.data?.tracked === true || journey.isError
  const tracking = useQuery({ ...trackingQuery(svc_shipment_id), enabled: isRequested })
  const isRefused = refusalCodeOf(tracking.error) === 'tracking_not_found'
  const isUntracked = isRefused || (!isRequested && journey.data !== undefined)
  const isTrackingKnown = tracking.data !== undefined || isUntracked
  const { shipment: m, conversation } = useMessages()
  const links = [
    ...(tracking.data ? [{ anchor: 'why', name: m.why.title }] : []),
    { anchor: 'documents', name: m.documents.title },
    { anchor: 'tracking', name: m.timeline.title },
    { anchor: 'containers', name: m.cargo.title },
    { anchor: 'orders', name: m.orders.title },
    { anchor: 'messages', name: conversation.title },
    { anchor: 'booking', name: m.booking.title },
    { anchor: 'goods', name: m.goods.title },
    { anchor: 'invoices', name: m.invoices.title },
    { anchor: 'places', name: m.places.title },
  ]
  const sentence = useHeadline(shipment, tracking.data, journey.data)

  const documents = <DocumentsSection shipment={shipment} />
  const sections = (
    <div className={styles.frame} ref={frame}>
      <div className={styles.columns}>
        <div className={styles.column}>
          {tracking.data && <WhySection id={svc_shipment_id} />}
          {!isWide && documents}
          {!isPhone && <MapPanel journey={journey} />}
          <TrackingSection
            tracking={tracking}
            isUntracked={isUntracked}
            journey={journey.data}
            container={container}
            onContainer={(number) => show({ container: number })}
          />
          {tracking.data && <FreeTimeSection id={svc_shipment_id} />}
          <CargoSection shipment={shipment} />
          <OrdersSection shipment={shipment} />
          <ConversationSection about={{ svc_shipment_id }} />
          <DelayPanel shipment={shipment} />
        </div>
        <div className={`${styles.column} ${styles.aside}`}>
          {isWide && documents}
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
      back={<BackLink path={paths.shipments()}>{m.back}</BackLink>}
      title={name}
      actions={
        <>
          <WatchButton scope="shipment" id={svc_shipment_id} />
          <ShareButton shipment={shipment} />
        </>
      }
      lead={
        isTrackingKnown || tracking.isError ? <span className={styles.sentence}>{sentence}</span> : <LeadPlaceholder />
      }
    >
      <ShipmentFacts shipment={shipment} />
      <div className={styles.strip}>
        <JourneyStrip
          shipment={withPortNames(shipment, journey.data)}
          tracked={trackedBy(tracking.data, shipment)}
          size="large"
        />
      </div>
      <OpenExceptions of={{ svc_shipment_id }} />
      {isPhone && <PhoneTabs id={svc_shipment_id} shown={tab ?? 'details'} />}
      {!(isPhone && tab === 'map') && <SectionLinks label={m.onThisPage} sections={links} />}
      {isPhone && tab === 'map' ? <MapPanel journey={journey} /> : sections}
    </Page>
  )
}

/** Both tabs have an address, so that the back button switches between them. */
function PhoneTabs({ id, shown }: { id: string; shown: 'details' | 'map' }) {
  const m = useMessages().shipment
  const tab = (name: 'details' | 'map', label: string, query: { tab?: string }) => (
    <AppLink href={paths.shipment(id, query)} className={tabs.tab} aria-current={shown === name ? 'page' : undefined}>
      {label}
    </AppLink>
  )
  return (
    <nav aria-label={m.sections} className={`${tabs.views} ${tabs.tabs} ${styles.phoneTabs}`}>
      {tab('details', m.details, {})}
      {tab('map', m.map.tab, { tab: 'map' })}
    </nav>
  )
}

function ShareButton({ shipment }: { shipment: Shipment }) {
  const m = useMessages().sharing
  const { person } = useSession()
  const [isOpen, setOpen] = useState(() => hasDraft(sharingDraft(shipment.svc_shipment_id)))
  if (!mayInPortal(person.role, 'write')) return null
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconShare3 size={16} stroke={1.8} aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {m.share}
      </Button>
      {isOpen && <ShareDialog shipment={shipment.svc_shipment_id} onClose={() => setOpen(false)} />}
    </>
  )
}
