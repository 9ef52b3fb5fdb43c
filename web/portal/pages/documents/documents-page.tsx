import { IconX } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Document, DocumentType } from '../../../../src/contract/public/document.js'
import { useAddressQuery } from '../../../ui/address-query.js'
import { AppLink } from '../../../ui/app-link.js'
import { Button } from '../../../ui/button.js'
import { FilterMenu } from '../../../ui/filter-menu.js'
import chip from '../../../ui/filter-menu.module.css'
import { LoadMore } from '../../../ui/load-more.js'
import { Page } from '../../../ui/page.js'
import { SearchField } from '../../../ui/search-field.js'
import { SegmentedControl } from '../../../ui/segmented-control.js'
import { EmptyState, ErrorState, TableSkeleton } from '../../../ui/states.js'
import { documentsQuery } from '../../api/queries.js'
import { useFormat } from '../../i18n/format.js'
import { type Messages, useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { isNarrowed } from '../list-search.js'
import lists from '../lists.module.css'
import { groupByShipment, groupByType } from './document-groups.js'
import { DocumentPreview } from './document-preview.js'
import { type Selection, useDocumentSelection } from './document-selection.js'
import { DocumentTable, type TableGroup } from './document-table.js'
import { documentTypeName } from './document-type-name.js'
import styles from './documents.module.css'
import { blankDocumentsSearch, documentsSearchReader, type Grouping, groupings } from './documents-search.js'
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
  const clear = () => change({ ...blankDocumentsSearch, by: search.by }, { replace: false })

  return (
    <Page
      title={m.title}
      isLoading={found.isPending}
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
      {found.isPending ? (
        <TableSkeleton rows={10} columns={5} />
      ) : found.isError && documents.length === 0 ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} />
      ) : documents.length === 0 ? (
        <NoDocuments isFiltered={isNarrowed(search)} onClear={clear} />
      ) : (
        <div className={lists.table} data-outdated={found.isPlaceholderData || undefined}>
          <Documents by={by} documents={documents} selection={selection} onShow={show} />
          {found.hasNextPage && (
            <LoadMore count={documents.length} loadMore={() => void found.fetchNextPage({ cancelRefetch: false })} />
          )}
        </div>
      )}
      <SelectionBar selection={selection} />
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

type DocumentsProps = { by: Grouping; documents: Document[]; selection: Selection; onShow(document: Document): void }

function Documents({ by, documents, selection, onShow }: DocumentsProps) {
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
      name: group.key || m.noShipment,
      heading: group.key === '' ? m.noShipment : <ShipmentHeading id={group.key} />,
    }))
  }
}

function ShipmentHeading({ id }: { id: string }) {
  return (
    <AppLink href={paths.shipment(id)} className="mono">
      {id}
    </AppLink>
  )
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
