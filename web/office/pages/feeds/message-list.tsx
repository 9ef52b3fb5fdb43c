import { useInfiniteQuery } from '@tanstack/react-query'
import { type Message, messageOutcomes } from '../../../../src/contract/operator/messages.js'
import lists from '../../../portal/pages/lists.module.css'
import { StatusBadge, type Tone } from '../../../ui/badges.js'
import { FilterMenu } from '../../../ui/filter-menu.js'
import { LoadMore } from '../../../ui/load-more.js'
import { MomentText } from '../../../ui/moment-text.js'
import { SearchField } from '../../../ui/search-field.js'
import { EmptyState, ErrorState, TableSkeleton } from '../../../ui/states.js'
import { messagesQuery } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { MessagePanel } from '../my-work/message-panel.js'
import { messageItem } from '../my-work/work-items.js'
import { DetailTable } from './detail-table.js'
import type { FeedsSearch } from './feeds-search.js'

const tones: Record<Message['outcome'], Tone> = {
  received: 'planned',
  applied: 'accent',
  duplicate: 'planned',
  unmatched: 'late',
  quarantined: 'late',
  unreadable: 'problem',
  dropped: 'planned',
}

type Props = { search: FeedsSearch; change: (change: Partial<FeedsSearch>) => void }

/** Raw messages, newest first; each with what became of its events and what can be done. */
export function MessageList({ search, change }: Props) {
  const { feeds: m } = useOfficeMessages()
  const { outcome, reference } = search
  const query = { ...(outcome && { outcome }), ...(reference && { reference }) }
  const found = useInfiniteQuery(messagesQuery(query))
  const rows = found.data?.pages.flatMap((page) => page.messages) ?? []
  const open = rows.find(({ message_id }) => String(message_id) === search.item)
  return (
    <>
      <div className={lists.tools}>
        <div className={lists.search}>
          <SearchField
            label={m.reference}
            placeholder={m.reference}
            value={reference ?? ''}
            onChange={(text) => change({ reference: text || undefined, item: undefined })}
          />
        </div>
        <div className={lists.filters}>
          <FilterMenu
            label={m.outcome}
            value={outcome}
            options={messageOutcomes.map((value) => ({ value, label: m.outcomes[value] }))}
            onChange={(value) => change({ outcome: value as Message['outcome'] | undefined, item: undefined })}
          />
        </div>
      </div>
      {found.error && !found.data ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} />
      ) : found.isPending ? (
        <TableSkeleton rows={10} columns={5} />
      ) : rows.length === 0 ? (
        <div className="panel">
          <EmptyState title={m.noMessages} text={m.noMessagesText} />
        </div>
      ) : (
        <DetailTable
          label={m.shows.messages}
          rows={rows}
          rowKey={({ message_id }) => String(message_id)}
          versionOf={({ outcome: is, counts }) => `${is} ${JSON.stringify(counts)}`}
          list={found.isPlaceholderData ? undefined : JSON.stringify(query)}
          isComplete={!found.hasNextPage}
          open={open}
          onOpen={(row) => change({ item: String(row.message_id) })}
          nameOf={({ sender }) => sender}
          columns={[
            {
              header: m.outcome,
              cell: ({ outcome: is }) => <StatusBadge tone={tones[is]}>{m.outcomes[is]}</StatusBadge>,
            },
            { header: m.format, cell: ({ format, channel }) => `${format} · ${channel}` },
            { header: m.events, cell: ({ counts }) => m.eventCount(counts.events) },
            { header: m.received, cell: ({ received_at }) => <MomentText at={received_at} look="ago" /> },
          ]}
          nameHeader={m.sender}
          detail={open && <MessagePanel item={messageItem(open)} />}
        />
      )}
      {found.hasNextPage && <LoadMore count={rows.length} loadMore={() => void found.fetchNextPage()} />}
    </>
  )
}
