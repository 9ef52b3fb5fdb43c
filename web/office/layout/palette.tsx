import {
  IconBuilding,
  IconBuildingPlus,
  IconCalendarPlus,
  IconClipboardList,
  IconFileInvoice,
  IconPackages,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useMessages } from '../../portal/i18n/messages.js'
import { PaletteDialog, type Result } from '../../ui/palette-dialog.js'
import { matching } from '../../ui/palette-matching.js'
import { accountsQuery, foundByWordsQuery, lookupQuery, useMayDo } from '../api/ops.js'
import { useOfficeMessages } from '../i18n/messages.js'
import { paths } from '../paths.js'
import { addressOf, pages } from './pages.js'

const mostCustomers = 8
const mostActions = 3
// Shorter texts are no reference, and would be looked up with every keystroke.
const shortestReference = 3

/** Search over all accounts: shipments by any of their numbers or by vessel, orders, invoices, customers, actions and pages. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { palette } = useMessages()
  const { nav: m } = useOfficeMessages()
  const mayOperate = useMayDo('operate')
  const mayInvoice = useMayDo('invoice')
  const isAdmin = useMayDo('administer')
  const [typed, setTyped] = useState('')
  const q = typed.trim()
  const isReference = q.length >= shortestReference
  const { data, isPlaceholderData, isFetching } = useQuery({ ...lookupQuery(q), enabled: isReference })
  const byWords = useQuery({ ...foundByWordsQuery(useDeferredValue(q)), enabled: isReference })
  const { data: accounts = [] } = useQuery(accountsQuery())
  const { shipments: numbered = [], orders = [], invoices = [] } = (isReference && data) || {}
  const named = (isReference && byWords.data?.shipments) || []
  const shipments = uniqueShipments([
    ...numbered,
    ...named.map(({ account, shipment }) => ({ account, svc_shipment_id: shipment.svc_shipment_id })),
  ]).map(
    ({ account, svc_shipment_id }): Result => ({
      key: `${account} ${svc_shipment_id}`,
      title: svc_shipment_id,
      detail: account,
      href: paths.shipment(account, svc_shipment_id),
      Icon: IconPackages,
    }),
  )
  const foundOrders = orders.map(
    ({ account, reference }): Result => ({
      key: `order ${account} ${reference}`,
      title: reference,
      detail: account,
      href: paths.order(account, reference),
      Icon: IconClipboardList,
    }),
  )
  const foundInvoices = invoices.map(
    ({ account, reference, number }): Result => ({
      key: `invoice ${account} ${reference}`,
      title: number ?? reference,
      detail: account,
      href: paths.invoice(account, reference),
      Icon: IconFileInvoice,
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
  const newShipments = found.slice(0, mostActions).map(
    ({ key: account, title }): Result => ({
      key: `new ${account}`,
      title: m.newShipmentFor(title),
      href: paths.newShipment({ account, blank: 'true' }),
      Icon: IconCalendarPlus,
    }),
  )
  const newInvoices = uniqueShipments(numbered)
    .slice(0, mostActions)
    .map(
      ({ account, svc_shipment_id }): Result => ({
        key: `bill ${account} ${svc_shipment_id}`,
        title: m.invoiceFor(svc_shipment_id),
        href: paths.billing({ view: 'unbilled', account }),
        Icon: IconFileInvoice,
      }),
    )
  const newCustomer: Result = {
    key: 'new customer',
    title: m.newCustomer,
    href: paths.customers({ add: 'true' }),
    Icon: IconBuildingPlus,
  }
  const actions = [
    ...(mayOperate ? newShipments : []),
    ...(mayInvoice ? newInvoices : []),
    ...(isAdmin && q !== '' ? matching([newCustomer], q) : []),
  ]
  const groups = [
    { name: 'shipments', title: m.shipments, items: shipments },
    { name: 'orders', title: m.orders, items: foundOrders },
    { name: 'invoices', title: m.invoices, items: foundInvoices },
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

type Numbered = { account: string; svc_shipment_id: string }

/** One that has several of the numbers, or also the words, is shown once. */
function uniqueShipments(shipments: Numbered[]): Numbered[] {
  return [...new Map(shipments.map((each) => [`${each.account} ${each.svc_shipment_id}`, each])).values()]
}
