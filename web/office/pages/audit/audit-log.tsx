import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { operatorAddress } from '../../../../src/client/operator-client.js'
import type { AuditKind } from '../../../../src/contract/audit.js'
import { useAuditMessages } from '../../../portal/i18n/audit.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import styles from '../../../portal/pages/audit/audit.module.css'
import { aboutOf, actorOf } from '../../../portal/pages/audit/entry-text.js'
import { searchText } from '../../../portal/paths.js'
import { useAddressQuery } from '../../../ui/address-query.js'
import { Button, ButtonLink } from '../../../ui/button.js'
import { Field } from '../../../ui/field.js'
import { FilterMenu } from '../../../ui/filter-menu.js'
import { LoadMore } from '../../../ui/load-more.js'
import { MomentText } from '../../../ui/moment-text.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { EmptyState, ErrorState, TableSkeleton } from '../../../ui/states.js'
import { accountPeopleQuery, auditQuery, staffQuery } from '../../api/ops.js'

type Search = { kind?: AuditKind; actor?: string; from?: string; to?: string }

const day = /^\d{4}-\d{2}-\d{2}$/

function read({ kind, actor, from, to }: Record<string, string>): Search {
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

/** The audit log of an account, or the forwarder's own, which can be exported. Filters are in the address. */
export function AuditLog({ account }: { account?: string }) {
  const all = useMessages()
  const m = useAuditMessages()
  const [search, change] = useAddressQuery(read)
  const { data: staff = [] } = useQuery(staffQuery())
  const { data: users = [] } = useQuery({ ...accountPeopleQuery(account ?? ''), enabled: account !== undefined })
  const found = useInfiniteQuery(auditQuery(account, filterOf(search)))
  const entries = found.data?.pages.flatMap((page) => page.entries) ?? []
  const isFiltered = Object.keys(search).length > 0
  const nameOf = (id: string) => [...users, ...staff].find(({ person_id }) => person_id === id)?.name
  const own = account === undefined ? 'person' : 'operator'
  const actors = [
    ...users.map(({ person_id, name }) => ({ value: `person:${person_id}`, label: name })),
    ...staff.flatMap(({ person_id, name }) => [
      { value: `operator:${person_id}`, label: name },
      ...(own === 'person' ? [{ value: `person:${person_id}`, label: `${name} (${m.kinds.sign_in})` }] : []),
    ]),
  ]
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
        {account === undefined && (
          <ButtonLink
            href={`${operatorAddress('exportForwarderAudit', {} as never)}${searchText(filterOf(search))}`}
            download
            size="xs"
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden="true" />}
          >
            {m.export}
          </ButtonLink>
        )}
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
        <PlainTable
          label={m.title}
          rows={entries}
          rowKey={({ entry_id }) => entry_id}
          columns={[
            { id: 'at', header: m.time, isName: true, cell: ({ at }) => <MomentText at={at} look="second" /> },
            { id: 'who', header: m.who, cell: (entry) => actorOf(entry, m) },
            { id: 'what', header: m.what, cell: ({ action }) => m.actions[action] },
            {
              id: 'about',
              header: m.about,
              cell: (entry) => <span className={styles.about}>{aboutOf(entry, nameOf, m, all)}</span>,
            },
            {
              id: 'address',
              header: m.address,
              cell: ({ address }) => <span className="mono small">{address ?? '–'}</span>,
            },
          ]}
        />
      )}
      {found.hasNextPage && (
        <LoadMore count={entries.length} loadMore={() => void found.fetchNextPage({ cancelRefetch: false })} />
      )}
    </>
  )
}
