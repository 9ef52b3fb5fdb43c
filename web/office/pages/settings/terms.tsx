import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormat } from '../../../portal/i18n/format.js'
import { TextButton } from '../../../ui/button.js'
import { LoadMore } from '../../../ui/load-more.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { EmptyState, ErrorState, TableSkeleton } from '../../../ui/states.js'
import { hasDraft, useOpened } from '../../../ui/use-draft.js'
import { termsQuery, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { TableTools } from './table-tools.js'
import { newTermDraft, TermForm } from './term-form.js'

/** The terms of free time: how long containers are free at carriers, ports and terminals. */
export function Terms() {
  const { settings: m } = useOfficeMessages()
  const mayOperate = useMayDo('operate')
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(termsQuery())
  const f = useFormat()
  const [isAdding, setAdding] = useState(() => mayOperate && hasDraft(newTermDraft))
  const [openTerm, open] = useOpened('terms')
  const rows = data?.pages.flatMap(({ terms }) => terms)
  const opened = rows?.find(({ id }) => id === openTerm)
  return (
    <Section
      title={m.shows.terms}
      isBare
      aside={<TableTools table="terms" add={m.addTerm} onAdd={() => setAdding(true)} />}
    >
      {!rows ? (
        error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : (
          <TableSkeleton rows={5} columns={6} />
        )
      ) : rows.length === 0 ? (
        <div className="panel">
          <EmptyState title={m.noTerms} text={m.noTermsText} />
        </div>
      ) : (
        <PlainTable
          label={m.shows.terms}
          rows={rows}
          rowKey={({ id }) => id}
          columns={[
            {
              id: 'id',
              header: m.term,
              isName: true,
              cell: (term) => (
                <TextButton onClick={() => open(term.id)}>
                  <span className="mono">{term.id}</span>
                </TextButton>
              ),
            },
            { id: 'carrier', header: m.fields.carrier, cell: ({ carrier }) => carrier ?? m.any },
            {
              id: 'port',
              header: m.fields.port,
              cell: ({ port, terminal }) => [port && f.country(port), terminal].filter(Boolean).join(' ') || m.any,
            },
            { id: 'account', header: m.fields.account, cell: ({ account }) => account ?? m.all },
            {
              id: 'clock',
              header: m.fields.clock,
              cell: ({ direction, clock }) => `${m.values[direction]}, ${m.values[clock]}`,
            },
            {
              id: 'free',
              header: m.fields.free,
              align: 'right',
              cell: ({ free, unit }) => `${free} ${m.values[unit]}`,
            },
            {
              id: 'valid',
              header: m.valid,
              cell: ({ valid_from = '', valid_to = '' }) =>
                valid_from || valid_to ? `${valid_from} – ${valid_to}` : m.always,
            },
          ]}
        />
      )}
      {hasNextPage && (
        <LoadMore count={rows?.length ?? 0} loadMore={() => void fetchNextPage({ cancelRefetch: false })} />
      )}
      {opened && <TermForm key={opened.id} term={opened} onClose={() => open(undefined)} />}
      {isAdding && <TermForm term={undefined} onClose={() => setAdding(false)} />}
    </Section>
  )
}
