import { IconBuilding, IconCalendarPlus, IconPackages } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMessages } from '../../portal/i18n/messages.js'
import { PaletteDialog, type Result } from '../../ui/palette-dialog.js'
import { matching } from '../../ui/palette-matching.js'
import { accountsQuery, lookupQuery, useMayDo } from '../api/ops.js'
import { useOfficeMessages } from '../i18n/messages.js'
import { paths } from '../paths.js'
import { addressOf, pages } from './pages.js'

const mostCustomers = 8
const mostActions = 3
// Shorter texts are no reference, and would be looked up with every keystroke.
const shortestReference = 3

/** Search over all accounts: shipments by any of their numbers, customers and pages. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { palette } = useMessages()
  const { nav: m } = useOfficeMessages()
  const mayOperate = useMayDo('operate')
  const [typed, setTyped] = useState('')
  const q = typed.trim()
  const isReference = q.length >= shortestReference
  const { data, isPlaceholderData, isFetching } = useQuery({ ...lookupQuery(q), enabled: isReference })
  const { data: accounts = [] } = useQuery(accountsQuery())
  const shipments = (isReference ? (data?.shipments ?? []) : []).map(
    ({ account, svc_shipment_id, kind }): Result => ({
      key: `${account} ${svc_shipment_id} ${kind}`,
      title: svc_shipment_id,
      detail: account,
      href: paths.shipment(account, svc_shipment_id),
      Icon: IconPackages,
    }),
  )
  const customers = accounts.map(
    ({ slug, name }): Result => ({
      key: slug,
      title: name,
      detail: slug,
      href: paths.customer(slug),
      Icon: IconBuilding,
    }),
  )
  const found = q === '' ? [] : matching(customers, q).slice(0, mostCustomers)
  const actions = mayOperate
    ? found.slice(0, mostActions).map(
        ({ key: account, title }): Result => ({
          key: `new ${account}`,
          title: m.newShipmentFor(title),
          href: paths.newShipment({ account, blank: 'true' }),
          Icon: IconCalendarPlus,
        }),
      )
    : []
  const groups = [
    { name: 'shipments', title: m.shipments, items: shipments },
    { name: 'customers', title: m.customers, items: found },
    { name: 'actions', title: m.actions, items: actions },
    {
      name: 'pages',
      title: palette.pages,
      items: matching(
        pages.map((page) => ({ key: page.name, title: m[page.name], href: addressOf(page), Icon: page.Icon })),
        q,
      ),
    },
  ].filter(({ items }) => items.length > 0)
  return (
    <PaletteDialog
      typed={typed}
      onType={setTyped}
      groups={groups}
      isFresh={!isReference || (data !== undefined && !isPlaceholderData) || !isFetching}
      placeholder={m.placeholder}
      onClose={onClose}
    />
  )
}
