import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Account } from '../../../../src/contract/operator/accounts.js'
import { useFormat } from '../../../portal/i18n/format.js'
import lists from '../../../portal/pages/lists.module.css'
import { useAddressQuery } from '../../../ui/address-query.js'
import { useListAddress } from '../../../ui/back-link.js'
import { StatusBadge } from '../../../ui/badges.js'
import { Button } from '../../../ui/button.js'
import { type Column, DataTable } from '../../../ui/data-table.js'
import { Page } from '../../../ui/page.js'
import { SearchField } from '../../../ui/search-field.js'
import { EmptyState, ErrorState } from '../../../ui/states.js'
import { hasDraft } from '../../../ui/use-draft.js'
import { ActionsContext, useActionState } from '../../actions/use-actions.js'
import { accountsQuery, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { useKeys } from '../../layout/keys.js'
import { useRowKeys } from '../../layout/row-keys.js'
import { paths } from '../../paths.js'
import { NewCustomerDialog, newCustomerDraft } from './new-customer-dialog.js'

type Search = { q?: string | undefined; add?: string | undefined }
const read = ({ q, add }: Record<string, string>): Search => ({ ...(q && { q }), ...(add && { add }) })
const keyOf = ({ slug }: Account) => slug
const linkOf = ({ slug }: Account) => paths.customer(slug)

/** The customers of the forwarder. */
export function CustomersPage() {
  const { customers: m, people } = useOfficeMessages()
  const { actions, outcome } = useActionState()
  const isAdmin = useMayDo('administer')
  const [isOpen, setOpen] = useState(() => isAdmin && hasDraft(newCustomerDraft))
  const add = () => setOpen(true)
  useKeys({ n: isAdmin ? add : undefined })
  const [{ q = '', add: added }, change] = useAddressQuery(read)
  const isAdding = isOpen || (isAdmin && added !== undefined)
  const close = () => {
    setOpen(false)
    if (added !== undefined) change({ add: undefined })
  }
  const { data, error, isPending, refetch } = useQuery({ ...accountsQuery(), refetchInterval: 30_000 })
  useListAddress(paths.customers())
  useRowKeys()
  const wanted = q.trim().toLowerCase()
  const rows = (data ?? []).filter(({ slug, name }) => `${slug} ${name}`.toLowerCase().includes(wanted))
  const columns = useColumns()
  return (
    <ActionsContext value={actions}>
      <Page
        title={m.title}
        lead={data && m.lead(rows.length)}
        isLoading={isPending}
        actions={
          <Button disabled={!isAdmin} title={isAdmin ? undefined : people.adminsOnly} onClick={add}>
            {m.add} <kbd>n</kbd>
          </Button>
        }
      >
        {outcome}
        <div className={lists.tools}>
          <div className={lists.search}>
            <SearchField
              label={m.filter}
              placeholder={m.filter}
              value={q}
              onChange={(text) => change({ q: text || undefined })}
            />
          </div>
        </div>
        {error && !data ? (
          <div className="panel">
            <ErrorState error={error} retry={() => void refetch()} />
          </div>
        ) : (
          <DataTable<Account>
            name="office.customers"
            label={m.title}
            rows={rows}
            columns={columns}
            rowKey={keyOf}
            rowLink={linkOf}
            isLoading={isPending}
            changes={{ list: wanted, versionOf: JSON.stringify }}
            card={({ name, slug }) => (
              <>
                <span className="strong">{name}</span> <span className="mono soft">{slug}</span>
              </>
            )}
            empty={<EmptyState title={wanted ? m.nothingMatches : m.none} text={wanted ? '' : m.noneText} />}
          />
        )}
        {isAdding && <NewCustomerDialog onClose={close} />}
      </Page>
    </ActionsContext>
  )
}

function useColumns(): Column<Account>[] {
  const { customers: m } = useOfficeMessages()
  const f = useFormat()
  return [
    {
      id: 'name',
      header: m.name,
      grow: true,
      always: true,
      width: 220,
      cell: ({ name, slug, suspended }) => (
        <>
          <span className="strong clipped">{name}</span> <span className="mono soft">{slug}</span>{' '}
          {suspended && <StatusBadge tone="problem">{m.suspended}</StatusBadge>}
        </>
      ),
    },
    { id: 'shipments', header: m.shipments, align: 'right', width: 110, cell: (row) => f.number(row.counts.shipments) },
    { id: 'orders', header: m.orders, align: 'right', width: 110, cell: (row) => f.number(row.counts.purchase_orders) },
    { id: 'invoices', header: m.invoices, align: 'right', width: 110, cell: (row) => f.number(row.counts.invoices) },
    { id: 'keys', header: m.keys, align: 'right', width: 80, cell: (row) => f.number(row.counts.keys) },
    { id: 'since', header: m.since, width: 120, cell: ({ created_at }) => f.day(created_at) },
  ]
}
