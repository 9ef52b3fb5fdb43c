import { useInfiniteQuery } from '@tanstack/react-query'
import { portalAddress } from '../../../../src/client/portal-client.js'
import { useAddressQuery } from '../../../ui/address-query.js'
import { Button } from '../../../ui/button.js'
import { Field } from '../../../ui/field.js'
import { LoadMore } from '../../../ui/load-more.js'
import { Page } from '../../../ui/page.js'
import { SearchField } from '../../../ui/search-field.js'
import { EmptyState, ErrorState, TableSkeleton } from '../../../ui/states.js'
import { inboundQuery } from '../../api/queries.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { ExportMenu } from '../../layout/export-menu.js'
import { isNarrowed } from '../list-search.js'
import lists from '../lists.module.css'
import { GroupTable } from './group-table.js'
import styles from './inbound.module.css'
import { InboundFilters } from './inbound-filters.js'
import { blankInboundSearch, inboundFilterOf, readInboundSearch } from './inbound-search.js'
import { InboundTable } from './inbound-table.js'
import { WeekChart } from './week-chart.js'

/** What arrives when, by week, SKU and place; or what has moved since a day. */
export function InboundPage() {
  const messages = useMessages()
  const m = messages.inbound
  const format = useFormat()
  const [search, change] = useAddressQuery(readInboundSearch)
  const found = useInfiniteQuery(inboundQuery(inboundFilterOf(search)))
  const first = found.data?.pages[0]
  const lines = found.data?.pages.flatMap((page) => page.lines) ?? []
  const isMoved = search.since !== undefined
  const clear = () => change(blankInboundSearch, { replace: false })
  const lead = () => {
    if (!first) return found.isError ? undefined : messages.orders.counting
    const counts = { lines: first.count, late: first.late, unassigned: first.unassigned }
    if (search.since !== undefined) return m.moved(counts.lines, format.day(search.since))
    // The empty page says so itself.
    return counts.lines === 0 ? undefined : m.lead(counts, (count) => format.number(count))
  }
  return (
    <Page
      title={m.title}
      lead={lead()}
      actions={
        <ExportMenu
          addressOf={(to) => portalAddress('exportInbound', { query: { ...inboundFilterOf(search), format: to } })}
        />
      }
    >
      <div className={`${lists.tools} ${styles.tools}`}>
        <div className={lists.search}>
          <SearchField
            label={m.search}
            placeholder={m.searchPlaceholder}
            value={search.q ?? ''}
            onChange={(q) => change({ q: q || undefined })}
          />
        </div>
        <InboundFilters search={search} change={change} />
        <Field
          type="date"
          label={m.since}
          value={search.since ?? ''}
          max={format.today()}
          onChange={({ currentTarget: { value } }) => change({ since: value || undefined }, { replace: false })}
        />
        {isNarrowed(search) && (
          <Button size="xs" variant="subtle" onClick={clear}>
            {messages.orders.clear}
          </Button>
        )}
      </div>
      {found.isError && lines.length === 0 ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} />
      ) : found.isPending ? (
        <TableSkeleton rows={10} columns={7} />
      ) : lines.length === 0 ? (
        <EmptyState
          title={isMoved ? m.nothingMoved : isNarrowed(search) ? m.nothingMatches : m.none}
          text={isNarrowed(search) ? messages.orders.nothingMatchesText : m.noneText}
        />
      ) : (
        <div className={`${lists.table} ${styles.lists}`} data-outdated={found.isPlaceholderData || undefined}>
          {first && !isMoved && <WeekChart weeks={first.weeks} />}
          {search.group && first?.groups ? (
            <GroupTable group={search.group} groups={first.groups} />
          ) : (
            <InboundTable lines={lines} weeks={first?.weeks ?? []} isMoved={isMoved} />
          )}
          {found.hasNextPage && search.group === undefined && (
            <LoadMore count={lines.length} loadMore={() => void found.fetchNextPage({ cancelRefetch: false })} />
          )}
        </div>
      )}
    </Page>
  )
}
