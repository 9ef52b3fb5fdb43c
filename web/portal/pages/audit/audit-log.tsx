import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AuditEntry, AuditKind } from '../../../../src/contract/audit.js'
import { useAddressQuery } from '../../../ui/address-query.js'
import { Button } from '../../../ui/button.js'
import { Field } from '../../../ui/field.js'
import { FilterMenu } from '../../../ui/filter-menu.js'
import { LoadMore } from '../../../ui/load-more.js'
import { MomentText } from '../../../ui/moment-text.js'
import { type PlainColumn, PlainTable } from '../../../ui/plain-table.js'
import { EmptyState, ErrorState, TableSkeleton } from '../../../ui/states.js'
import { useAuditMessages } from '../../i18n/audit.js'
import { useMessages } from '../../i18n/messages.js'
import styles from './audit.module.css'
import { aboutOf, actorOf } from './entry-text.js'

type Search = { kind?: AuditKind; actor?: string; from?: string; to?: string }

const day = /^\d{4}-\d{2}-\d{2}$/

function readSearch({ kind, actor, from, to }: Record<string, string>): Search {
  return {
    ...(kind && { kind: kind as AuditKind }),
    ...(actor && { actor }),
    ...(from && day.test(from) && { from }),
    ...(to && day.test(to) && { to }),
  }
}

/** Days as times: the last day is included. */
function filterOf({ from, to, ...search }: Search) {
  const next = to && new Date(Date.parse(`${to}T00:00:00Z`) + 86_400_000).toISOString()
  return { ...search, ...(from && { from: `${from}T00:00:00Z` }), ...(next && { to: next }) }
}

/** The filters in the address, and what they ask of the service. */
export function useAuditSearch() {
  const [search, change] = useAddressQuery(readSearch)
  return { search, change, filter: filterOf(search) }
}

type Props = ReturnType<typeof useAuditSearch> & {
  found: UseInfiniteQueryResult<InfiniteData<{ entries: AuditEntry[] }>>
  actors: { value: string; label: string }[]
  nameOf(person_id: string): string | undefined
  /** Beside the filters. */
  action?: ReactNode
}

/** Entries of an audit log by kind, actor and day. */
export function AuditLog({ search, change, found, actors, nameOf, action }: Props) {
  const m = useAuditMessages()
  const columns = useColumns(nameOf)
  const entries = found.data?.pages.flatMap((page) => page.entries) ?? []
  const isFiltered = Object.keys(search).length > 0
  return (
    <>
      <div className={styles.tools}>
        <FilterMenu
          label={m.kind}
          value={search.kind}
          options={(Object.keys(m.kinds) as AuditKind[]).map((value) => ({ value, label: m.kinds[value] }))}
          onChange={(kind) => change({ kind: kind as AuditKind | undefined })}
        />
        <FilterMenu label={m.who} value={search.actor} options={actors} onChange={(actor) => change({ actor })} />
        <div className={styles.days}>
          {(['from', 'to'] as const).map((end) => (
            <Field
              key={end}
              type="date"
              className={styles.day}
              label={m[end]}
              value={search[end] ?? ''}
              onChange={(event) => change({ [end]: event.currentTarget.value || undefined })}
            />
          ))}
        </div>
        {action}
      </div>
      {found.isPending && <TableSkeleton rows={8} columns={5} />}
      {found.isError && entries.length === 0 && (
        <div className="panel">
          <ErrorState error={found.error} retry={() => void found.refetch()} />
        </div>
      )}
      {found.isSuccess && entries.length === 0 && (
        <div className="panel">
          <EmptyState
            title={m.noneTitle}
            text={isFiltered ? m.noneText : m.emptyText}
            action={
              isFiltered && (
                <Button
                  variant="default"
                  onClick={() => change({ kind: undefined, actor: undefined, from: undefined, to: undefined })}
                >
                  {m.clearFilters}
                </Button>
              )
            }
          />
        </div>
      )}
      {entries.length > 0 && (
        <PlainTable label={m.title} rows={entries} columns={columns} rowKey={({ entry_id }) => entry_id} />
      )}
      {found.hasNextPage && (
        <LoadMore count={entries.length} loadMore={() => void found.fetchNextPage({ cancelRefetch: false })} />
      )}
    </>
  )
}

function useColumns(nameOf: (person_id: string) => string | undefined): PlainColumn<AuditEntry>[] {
  const all = useMessages()
  const m = useAuditMessages()
  return [
    {
      id: 'what',
      header: m.what,
      isName: true,
      cell: ({ action }) => <span className="strong">{m.actions[action]}</span>,
    },
    {
      id: 'about',
      header: m.about,
      cell: (entry) => <span className={styles.about}>{aboutOf(entry, nameOf, m, all)}</span>,
    },
    { id: 'who', header: m.who, cell: (entry) => actorOf(entry, m) },
    { id: 'time', header: m.time, cell: ({ at }) => <MomentText at={at} look="second" /> },
    { id: 'address', header: m.address, cell: ({ address }) => <span className="mono small">{address ?? '–'}</span> },
  ]
}
