import { IconDownload } from '@tabler/icons-react'
import { type UseQueryOptions, type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { SharedShipment } from '../../../../src/contract/portal/shared-shipment.js'
import type { Tracking } from '../../../../src/contract/public/tracking.js'
import { Button } from '../../../ui/button.js'
import { JourneyStrip } from '../../../ui/journey-strip.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { Section } from '../../../ui/section.js'
import { saveSharedDocument } from '../../api/shared.js'
import { useFormat } from '../../i18n/format.js'
import { useReader } from '../../i18n/messages.js'
import { useBranding } from '../../layout/branding.js'
import { Logo } from '../../layout/logo.js'
import { languageNames, languages } from '../../layout/preferences.js'
import { documentTypeName } from '../documents/document-type-name.js'
import { type Fact, Facts } from '../shipment/facts.js'
import { MapPanel } from '../shipment/map-panel.js'
import { ShipmentFacts } from '../shipment/shipment-facts.js'
import { trackedBy } from '../shipment/tracked.js'
import { TrackingSection } from '../shipment/tracking-section.js'
import { useHeadline, withPortNames } from '../shipment/use-headline.js'
import styles from './share.module.css'

type Props = {
  shared: SharedShipment
  query: Pick<UseQueryOptions<SharedShipment, Error, SharedShipment, string[]>, 'queryKey' | 'queryFn'>
  token: string
  /** Beside the name of the forwarder. */
  aside?: ReactNode
}

/** A shared shipment: one sentence, the journey, the map, tracking, and what else was chosen. */
export function SharedView({ shared, query, token, aside }: Props) {
  const { language, messages, chooseLanguage } = useReader()
  const { sharing: m, proposals } = messages
  const f = useFormat()
  const brand = useBranding()
  const [container, setContainer] = useState<string>()
  const { shipment, tracking, documents, expires_at } = shared
  const { svc_shipment_id, name = svc_shipment_id } = shipment
  const journey = useQuery({ ...query, select: (all: SharedShipment) => all.journey })
  const steps = useQuery({ ...query, select: (all: SharedShipment) => all.tracking })
  const sentence = useHeadline(shipment, tracking, shared.journey)

  useEffect(() => {
    document.title = `${name} · ${brand.name}`
  }, [name, brand.name])

  return (
    <main className={styles.page}>
      <header className={styles.brand}>
        <Logo size={28} picture={brand.logo} />
        <span>{brand.name}</span>
        {aside}
      </header>
      <div className={styles.head}>
        <h1>{name}</h1>
        <p className={styles.sentence}>{sentence}</p>
      </div>
      <ShipmentFacts shipment={shipment} />
      <div className={styles.strip}>
        <JourneyStrip
          shipment={withPortNames(shipment, shared.journey)}
          tracked={trackedBy(tracking, {})}
          size="large"
        />
      </div>
      <MapPanel journey={journey} />
      <TrackingSection
        tracking={steps as UseQueryResult<Tracking>}
        isUntracked={tracking === undefined}
        journey={shared.journey}
        container={container}
        onContainer={setContainer}
      />
      {documents.length > 0 && <SharedDocuments documents={documents} token={token} />}
      <SharedFacts shared={shared} />
      <footer className={styles.foot}>
        <p className="small soft">
          {m.live} {expires_at !== undefined && proposals.worksUntil(f.day(expires_at))}
        </p>
        {languages
          .filter((other) => other !== language)
          .map((other) => (
            <button key={other} type="button" lang={other} onClick={() => chooseLanguage(other)}>
              {languageNames[other]}
            </button>
          ))}
      </footer>
    </main>
  )
}

function SharedDocuments({ documents, token }: { documents: SharedShipment['documents']; token: string }) {
  const { messages } = useReader()
  const m = messages.shipment.documents
  const f = useFormat()
  const save = useMutation({
    mutationFn: (document: SharedShipment['documents'][number]) => saveSharedDocument(token, document),
  })
  return (
    <Section title={m.title} isBare>
      {save.error && <ErrorNotice error={save.error} />}
      <ul className={styles.documents}>
        {documents.map((document) => (
          <li key={document.id}>
            <span className={styles.document}>
              {documentTypeName(document.type, messages)}
              <span className="small soft clipped" title={document.name}>
                {document.name} · {f.bytes(document.size)}
              </span>
            </span>
            <Button
              variant="default"
              aria-label={m.download(document.name)}
              loading={save.isPending && save.variables.id === document.id}
              onClick={() => save.mutate(document)}
            >
              <IconDownload size={18} aria-hidden="true" />
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** What is shown only if it was chosen. */
function SharedFacts({ shared: { commercial_value, carrier, parties = [] } }: { shared: SharedShipment }) {
  const { messages } = useReader()
  const { sharing: m, statuses } = messages
  const f = useFormat()
  if (!commercial_value && carrier === undefined && parties.length === 0) return null
  const facts: Fact[] = [
    [messages.shipment.booking.carrier, carrier],
    ...parties.map(({ role, company_name, name, address, zip_code, city, country }): Fact => {
      const town = [zip_code, city].filter(Boolean).join(' ')
      const lines = [company_name, name, address, town, country && f.country(country)].filter(Boolean)
      return [statuses.step[role], lines.map((line) => <Line key={line} text={line} />)]
    }),
    [m.value, commercial_value && f.money(commercial_value)],
  ]
  return (
    <Section title={m.details}>
      <Facts facts={facts} />
    </Section>
  )
}

function Line({ text }: { text: string | undefined }) {
  return <span className={styles.line}>{text}</span>
}
