import { IconUpload, IconX } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { portalAddress } from '../../../../src/client/portal-client.js'
import { mayInPortal } from '../../../../src/contract/portal/rights.js'
import type { ShipmentChecklist } from '../../../../src/contract/portal/supplier-links.js'
import type { Document, DocumentType } from '../../../../src/contract/public/document.js'
import { useAddressQuery } from '../../../ui/address-query.js'
import { Button } from '../../../ui/button.js'
import { FilterMenu } from '../../../ui/filter-menu.js'
import chip from '../../../ui/filter-menu.module.css'
import { LoadMore } from '../../../ui/load-more.js'
import { Page } from '../../../ui/page.js'
import { SearchField } from '../../../ui/search-field.js'
import { SegmentedControl } from '../../../ui/segmented-control.js'
import { EmptyState, ErrorState, TableSkeleton } from '../../../ui/states.js'
import { checklistsQuery, documentsQuery, proposalsQuery } from '../../api/queries.js'
import { useSession } from '../../api/session.js'
import { useFormat } from '../../i18n/format.js'
import { type Messages, useMessages } from '../../i18n/messages.js'
import { ExportMenu } from '../../layout/export-menu.js'
import { isNarrowed } from '../list-search.js'
import lists from '../lists.module.css'
import { groupByShipment, groupByType } from './document-groups.js'
import { DocumentPreview } from './document-preview.js'
import { type Selection, useDocumentSelection } from './document-selection.js'
import { DocumentTable, type TableGroup } from './document-table.js'
import { documentTypeName } from './document-type-name.js'
import styles from './documents.module.css'
import { blankDocumentsSearch, documentsSearchReader, type Grouping, groupings } from './documents-search.js'
import { DocumentExchange } from './exchange/document-exchange.js'
import { ProposalList } from './exchange/proposal-list.js'
import { ShipmentHeading } from './exchange/shipment-heading.js'
import { UploadDialog } from './exchange/upload-dialog.js'
import { SelectionBar } from './selection-bar.js'

const pageSize = 100

export function DocumentsPage() {
  const messages = useMessages()
  const m = messages.documents
  const format = useFormat()
  const types = useMemo(() => typesIn(messages), [messages])
  const read = useMemo(() => documentsSearchReader(types), [types])
  const [search, change] = useAddressQuery(read)
  const { view: _view, by = 'shipment', ...filter } = search
  const found = useInfiniteQuery(documentsQuery({ ...filter, take: pageSize }))
  const documents = found.data?.pages.flatMap((page) => page.documents) ?? []
  const count = found.data?.pages[0]?.count
  const selection = useDocumentSelection()
  const [shown, show] = useState<Document>()
  const [isUploading, setUploading] = useState(false)
  const { person } = useSession()
  const shipments = useShipments(documents)
  const waiting = useQuery(proposalsQuery({ state: 'proposed', take: 20 }))
  const clear = () => change({ ...blankDocumentsSearch, by: search.by }, { replace: false })

  return (
    <Page
      title={m.title}
      isLoading={found.isPending}
      actions={
        <>
          <ExportMenu addressOf={(to) => portalAddress('exportDocuments', { query: { ...filter, format: to } })} />
          {mayInPortal(person.role, 'write') && (
            <Button
              leftSection={<IconUpload size={16} stroke={1.8} aria-hidden="true" />}
              onClick={() => setUploading(true)}
            >
              {messages.proposals.upload}
            </Button>
          )}
        </>
      }
      lead={
        count ? m.count(format.number(count.value), count.value, count.exact) : found.isError ? undefined : m.counting
      }
    >
      <div className={lists.tools}>
        <div className={lists.search}>
          <SearchField
            label={m.search}
            placeholder={m.searchPlaceholder}
            value={search.q ?? ''}
            onChange={(q) => change({ q: q || undefined })}
          />
        </div>
        <div className={lists.filters} role="group" aria-label={m.filters}>
          <FilterMenu
            label={m.typeFilter}
            value={search.type}
            options={types.map((value) => ({ value, label: messages.statuses.documentType[value] }))}
            onChange={(type) => change({ type: type as DocumentType | undefined }, { replace: false })}
          />
          {search.svc_shipment_id !== undefined && (
            <button
              type="button"
              className={chip.button}
              data-set="true"
              onClick={() => change({ svc_shipment_id: undefined }, { replace: false })}
            >
              {m.shipment}
              {messages.common.colon}
              <span className="mono strong">{search.svc_shipment_id}</span>
              <IconX size={14} aria-hidden="true" />
              <span className="visually-hidden">{messages.common.clear}</span>
            </button>
          )}
          {isNarrowed(search) && (
            <Button size="xs" variant="subtle" onClick={clear}>
              {m.clear}
            </Button>
          )}
        </div>
        <SegmentedControl
          className={styles.grouping}
          label={m.grouping}
          isLabelHidden
          value={by}
          options={groupings.map((value) => ({ value, label: m.groupings[value] }))}
          onChange={(value) => change({ by: value === 'shipment' ? undefined : value })}
        />
      </div>
      {search.svc_shipment_id !== undefined ? (
        <DocumentExchange shipment={search.svc_shipment_id} />
      ) : (
        waiting.data && waiting.data.length > 0 && <ProposalList proposals={waiting.data} />
      )}
      {found.isPending ? (
        <TableSkeleton rows={10} columns={5} />
      ) : found.isError && documents.length === 0 ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} />
      ) : documents.length === 0 ? (
        <NoDocuments isFiltered={isNarrowed(search)} onClear={clear} />
      ) : (
        <div className={lists.table} data-outdated={found.isPlaceholderData || undefined}>
          <Documents by={by} documents={documents} shipments={shipments} selection={selection} onShow={show} />
          {found.hasNextPage && (
            <LoadMore count={documents.length} loadMore={() => void found.fetchNextPage({ cancelRefetch: false })} />
          )}
        </div>
      )}
      <SelectionBar selection={selection} />
      {isUploading && (
        <UploadDialog
          shipments={[...shipments.values()].map(({ svc_shipment_id: id, name = '' }) => ({ id, name }))}
          onClose={() => setUploading(false)}
        />
      )}
      {shown && (
        <DocumentPreview
          name={shown.name}
          title={documentTypeName(shown.type, messages)}
          address={`${shown.link}?inline=1`}
          download={shown.link}
          onClose={() => show(undefined)}
        />
      )}
    </Page>
  )
}

type DocumentsProps = {
  by: Grouping
  documents: Document[]
  shipments: Map<string, ShipmentChecklist>
  selection: Selection
  onShow(document: Document): void
}

function Documents({ by, documents, shipments, selection, onShow }: DocumentsProps) {
  const messages = useMessages()
  const m = messages.documents
  const { locale } = useFormat()
  return (
    <DocumentTable groups={groupsOf()} selection={selection} without={by === 'list' ? undefined : by} onShow={onShow} />
  )

  function groupsOf(): TableGroup[] {
    if (by === 'list') return [{ key: 'all', name: m.title, documents }]
    if (by === 'type') {
      const groups = groupByType(documents, (type) => documentTypeName(type, messages), locale)
      return groups.map((group) => ({ ...group, name: group.key, heading: group.key }))
    }
    return groupByShipment(documents).map((group) => ({
      ...group,
      name: shipments.get(group.key)?.name ?? (group.key || m.noShipment),
      heading:
        group.key === '' ? m.noShipment : <ShipmentHeading id={group.key} checklist={shipments.get(group.key)} />,
    }))
  }
}

// The most shipments of one request.
const mostShipments = 100

/** The name, route and checklist of the shipments of documents. */
function useShipments(documents: Document[]): Map<string, ShipmentChecklist> {
  const ids = [...new Set(documents.flatMap(({ svc_shipment_id }) => svc_shipment_id ?? []))].slice(0, mostShipments)
  const { data = [] } = useQuery(checklistsQuery(ids))
  return new Map(data.map((checklist) => [checklist.svc_shipment_id, checklist]))
}

function NoDocuments({ isFiltered, onClear }: { isFiltered: boolean; onClear(): void }) {
  const m = useMessages().documents
  if (!isFiltered) return <EmptyState title={m.none} text={m.noneText} />
  const action = (
    <Button variant="default" onClick={onClear}>
      {m.clear}
    </Button>
  )
  return <EmptyState title={m.nothingMatches} text={m.nothingMatchesText} action={action} />
}

function typesIn({ statuses }: Messages): DocumentType[] {
  const names = Object.entries(statuses.documentType).filter(([type]) => type !== 'other')
  return names.toSorted(([, one], [, other]) => one.localeCompare(other)).map(([type]) => type as DocumentType)
}
