import { IconDownload, IconFileText, IconFileTypePdf, IconPhoto } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { portalAddress } from '../../../../src/client/portal-client.js'
import type { Document } from '../../../../src/contract/public/document.js'
import type { Shipment } from '../../../../src/contract/public/shipment.js'
import { AppLink } from '../../../ui/app-link.js'
import { IconLink } from '../../../ui/button.js'
import { Section } from '../../../ui/section.js'
import { Lines } from '../../../ui/states.js'
import { documentsQuery } from '../../api/queries.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { DocumentPreview } from '../documents/document-preview.js'
import { documentTypeName } from '../documents/document-type-name.js'
import { DocumentExchange } from '../documents/exchange/document-exchange.js'
import { previewKindOf } from '../documents/preview-kind.js'
import { SectionError } from './section-error.js'
import styles from './shipment.module.css'

// The limit of one ZIP.
const most = 100

/** The documents of a shipment, with preview and download. */
export function DocumentsSection({ shipment: { svc_shipment_id } }: { shipment: Shipment }) {
  const messages = useMessages()
  const m = messages.shipment.documents
  const found = useInfiniteQuery(documentsQuery({ svc_shipment_id, take: most }))
  const documents = found.data?.pages.flatMap((page) => page.documents) ?? []
  const [shown, show] = useState<Document>()
  return (
    <Section
      title={m.title}
      anchor="documents"
      aside={documents.length > 0 && <Together documents={documents} shipmentId={svc_shipment_id} />}
      isBare={documents.length > 0}
    >
      {found.isPending ? (
        <Lines count={3} />
      ) : found.isError && documents.length === 0 ? (
        <SectionError error={found.error} retry={() => void found.refetch()} />
      ) : documents.length === 0 ? (
        <p className="soft">{m.none}</p>
      ) : (
        <ul className={styles.rows}>
          {documents.map((document) => (
            <li key={document.id}>
              <DocumentRow document={document} onShow={() => show(document)} />
            </li>
          ))}
        </ul>
      )}
      <DocumentExchange shipment={svc_shipment_id} />
      {shown && (
        <DocumentPreview
          name={shown.name}
          title={documentTypeName(shown.type, messages)}
          address={`${shown.link}?inline=1`}
          download={shown.link}
          onClose={() => show(undefined)}
        />
      )}
    </Section>
  )
}

function Together({ documents, shipmentId }: { documents: Document[]; shipmentId: string }) {
  const m = useMessages().shipment.documents
  const ids = documents.slice(0, most).map(({ id }) => id)
  return (
    <span className={styles.links}>
      {documents.length > 1 && (
        <a href={portalAddress('downloadDocuments', { query: { ids: ids.join(',') } })} download>
          {m.zip(ids.length)}
        </a>
      )}
      <AppLink href={paths.documents({ svc_shipment_id: shipmentId })}>{m.all}</AppLink>
    </span>
  )
}

function DocumentRow({ document, onShow }: { document: Document; onShow(): void }) {
  const messages = useMessages()
  const m = messages.shipment.documents
  const f = useFormat()
  const { name, type, size, uploaded_at, link } = document
  const about = [uploaded_at && f.day(uploaded_at), f.bytes(size)].filter(Boolean).join(' · ')
  return (
    <div className={styles.document}>
      <FileIcon name={name} />
      <span className={styles.stack}>
        <button type="button" className={styles.documentName} onClick={onShow}>
          {documentTypeName(type, messages)}
        </button>
        <span className="small soft clipped" title={name}>
          {name} · {about}
        </span>
      </span>
      <IconLink href={link} download={name} aria-label={m.download(name)} title={m.download(name)}>
        <IconDownload size={18} aria-hidden="true" />
      </IconLink>
    </div>
  )
}

const icons = { pdf: IconFileTypePdf, picture: IconPhoto, other: IconFileText }

function FileIcon({ name }: { name: string }) {
  const Icon = icons[previewKindOf(name) ?? 'other']
  return <Icon size={20} stroke={1.5} aria-hidden="true" />
}
