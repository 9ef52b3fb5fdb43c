import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { portalAddress } from '../../../../src/client/portal-client.js'
import type { AuditEntry, AuditKind } from '../../../../src/contract/audit.js'
import { useAddressQuery } from '../../../ui/address-query.js'
import { Button, ButtonLink } from '../../../ui/button.js'
import { Field } from '../../../ui/field.js'
import { FilterMenu } from '../../../ui/filter-menu.js'
import { LoadMore } from '../../../ui/load-more.js'
import { MomentText } from '../../../ui/moment-text.js'
import { Page } from '../../../ui/page.js'
import { type PlainColumn, PlainTable } from '../../../ui/plain-table.js'
import { EmptyState, ErrorState, TableSkeleton } from '../../../ui/states.js'
import { auditQuery, peopleQuery } from '../../api/queries.js'
import { useMay } from '../../api/session.js'
import { useAuditMessages } from '../../i18n/audit.js'
import { useMessages } from '../../i18n/messages.js'
import styles from './audit.module.css'
import { aboutOf, actorOf } from './entry-text.js'

type Search = { kind?: AuditKind; actor?: string; from?: string; to?: string }

function readSearch({ kind, actor, from, to }: Record<string, string>): Search {
  const day = /^\d{4}-\d{2}-\d{2}$/
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

/** Who did what in the account, when and from where; for admins. */
export function AuditPage() {
  const m = useAuditMessages()
  return useMay('administer') ? (
    <AuditLog />
  ) : (
    <Page title={m.title}>
      <div className="panel">
        <EmptyState title={m.adminsTitle} text={m.adminsText} />
      </div>
    </Page>
  )
}

function AuditLog() {
  const m = useAuditMessages()
  const [search, change] = useAddressQuery(readSearch)
  const { data: people = [] } = useQuery(peopleQuery())
  const found = useInfiniteQuery(auditQuery({ ...filterOf(search), take: 50 }))
  const entries = found.data?.pages.flatMap((page) => page.entries) ?? []
  const isFiltered = Object.keys(search).length > 0
  const columns = useColumns((id) => people.find(({ person_id }) => person_id === id)?.name)
  return (
    <Page
      title={m.title}
      lead={m.lead}
      actions={
        <ButtonLink
          href={portalAddress('exportAudit', { query: filterOf(search) })}
          download
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden="true" />}
        >
          {m.export}
        </ButtonLink>
      }
    >
      <div className={styles.tools}>
        <FilterMenu
          label={m.kind}
          value={search.kind}
          options={(Object.keys(m.kinds) as AuditKind[]).map((value) => ({ value, label: m.kinds[value] }))}
          onChange={(kind) => change({ kind: kind as AuditKind | undefined })}
        />
        <FilterMenu
          label={m.who}
          value={search.actor}
          options={people.map(({ person_id, name }) => ({ value: `person:${person_id}`, label: name }))}
          onChange={(actor) => change({ actor })}
        />
        <div className={styles.days}>
          <Field
            type="date"
            className={styles.day}
            label={m.from}
            value={search.from ?? ''}
            onChange={(event) => change({ from: event.currentTarget.value || undefined })}
          />
          <Field
            type="date"
            className={styles.day}
            label={m.to}
            value={search.to ?? ''}
            onChange={(event) => change({ to: event.currentTarget.value || undefined })}
          />
        </div>
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
    </Page>
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
