import { IconRefresh } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { LoggedRequest } from '../../../../src/contract/portal/keys.js'
import { useAddressQuery } from '../../../ui/address-query.js'
import { announce } from '../../../ui/announce.js'
import { StatusBadge, type Tone } from '../../../ui/badges.js'
import { Button } from '../../../ui/button.js'
import { Copyable } from '../../../ui/copyable.js'
import { FilterMenu } from '../../../ui/filter-menu.js'
import { LoadMore } from '../../../ui/load-more.js'
import { MomentText } from '../../../ui/moment-text.js'
import { type PlainColumn, PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { EmptyState, ErrorState, TableSkeleton } from '../../../ui/states.js'
import { keysQuery, requestsQuery } from '../../api/queries.js'
import { useDeveloperMessages } from '../../i18n/developers.js'
import { useFormat } from '../../i18n/format.js'
import styles from './developers.module.css'

type Outcome = 'success' | 'refused' | 'failed'
type Search = { key_id?: string; outcome?: Outcome }

const outcomes: Outcome[] = ['success', 'refused', 'failed']

function readSearch({ key_id, outcome }: Record<string, string>): Search {
  const known = outcomes.find((each) => each === outcome)
  return { ...(key_id && { key_id }), ...(known && { outcome: known }) }
}

/** Requests made with the account's keys, the newest first. */
export function RequestLog() {
  const m = useDeveloperMessages()
  const [search, change] = useAddressQuery(readSearch)
  const client = useQueryClient()
  const { data: keys = [] } = useQuery(keysQuery())
  const found = useInfiniteQuery(requestsQuery({ ...search, take: 50 }))
  const requests = found.data?.pages.flatMap((page) => page.requests) ?? []
  const isFiltered = search.key_id !== undefined || search.outcome !== undefined
  const nameOf = (id: string) => {
    const key = keys.find(({ key_id }) => key_id === id)
    return key === undefined ? id : (key.name ?? m.endsIn(key.ends_in))
  }
  const columns = useColumns(nameOf)
  const refresh = async () => {
    // New requests also change when a key was last used.
    await Promise.all([found.refetch(), client.invalidateQueries({ queryKey: keysQuery().queryKey })])
    announce(m.refreshed)
  }

  return (
    <Section title={m.requests} aside={m.requestsText}>
      <div className={styles.tools}>
        <FilterMenu
          label={m.filterKey}
          value={search.key_id}
          options={keys.map(({ key_id, name, ends_in }) => ({
            value: key_id,
            label: name ?? m.endsIn(ends_in),
          }))}
          onChange={(key_id) => change({ key_id })}
        />
        <FilterMenu
          label={m.filterOutcome}
          value={search.outcome}
          options={outcomes.map((value) => ({ value, label: m.outcomes[value] }))}
          onChange={(outcome) => change({ outcome: outcome as Outcome | undefined })}
        />
        <Button
          variant="default"
          size="sm"
          leftSection={<IconRefresh size={16} aria-hidden="true" />}
          loading={found.isRefetching && !found.isFetchingNextPage}
          onClick={() => void refresh()}
        >
          {m.refresh}
        </Button>
      </div>
      {found.isPending && <TableSkeleton rows={6} columns={6} />}
      {found.isError && requests.length === 0 && (
        <div className="panel">
          <ErrorState error={found.error} retry={() => void found.refetch()} />
        </div>
      )}
      {found.isSuccess && requests.length === 0 && (
        <div className="panel">
          {isFiltered ? (
            <EmptyState
              title={m.noneFoundTitle}
              text={m.noneFoundText}
              action={
                <Button variant="default" onClick={() => change({ key_id: undefined, outcome: undefined })}>
                  {m.clearFilters}
                </Button>
              }
            />
          ) : (
            <EmptyState title={m.noRequestsTitle} text={m.noRequestsText} />
          )}
        </div>
      )}
      {requests.length > 0 && (
        <PlainTable label={m.requests} rows={requests} columns={columns} rowKey={({ request_id }) => request_id} />
      )}
      {found.hasNextPage && (
        <LoadMore count={requests.length} loadMore={() => void found.fetchNextPage({ cancelRefetch: false })} />
      )}
    </Section>
  )
}

function useColumns(nameOf: (key_id: string) => string): PlainColumn<LoggedRequest>[] {
  const m = useDeveloperMessages()
  const f = useFormat()
  return [
    {
      id: 'request',
      header: m.request,
      isName: true,
      cell: ({ method, path }) => (
        <span className={`mono ${styles.request}`}>
          <span className="strong">{method}</span> <span title={path}>{path}</span>
        </span>
      ),
    },
    { id: 'status', header: m.status, cell: ({ status }) => <Status status={status} /> },
    { id: 'time', header: m.time, cell: ({ at }) => <MomentText at={at} look="second" /> },
    {
      id: 'duration',
      header: m.duration,
      align: 'right',
      cell: ({ duration_ms }) =>
        m.milliseconds(f.number(duration_ms, { maximumFractionDigits: duration_ms < 10 ? 1 : 0 })),
    },
    { id: 'key', header: m.key, cell: ({ key_id }) => <span className={styles.usedKey}>{nameOf(key_id)}</span> },
    { id: 'id', header: m.requestId, cell: ({ request_id }) => <Copyable text={request_id} /> },
  ]
}

function Status({ status }: { status: number }) {
  const m = useDeveloperMessages()
  const outcome: Outcome = status < 400 ? 'success' : status < 500 ? 'refused' : 'failed'
  const tones: Record<Outcome, Tone> = { success: 'done', refused: 'late', failed: 'problem' }
  return (
    <StatusBadge tone={tones[outcome]}>
      {status} {m.outcomes[outcome]}
    </StatusBadge>
  )
}
