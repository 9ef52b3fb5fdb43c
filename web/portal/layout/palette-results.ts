import {
  IconClipboardList,
  IconFileText,
  IconList,
  IconPackages,
  IconPlus,
  IconReceipt2,
  IconTableImport,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { SearchHits } from '../../../src/contract/portal/overview.js'
import type { Result, ResultGroup } from '../../ui/palette-dialog.js'
import { matching, plain } from '../../ui/palette-matching.js'
import { searchQuery } from '../api/queries.js'
import { useMay } from '../api/session.js'
import { type Messages, useMessages } from '../i18n/messages.js'
import { paths } from '../paths.js'
import { addressOf, furtherPages, mainPages } from './pages.js'

/** The results of the palette: records found by the server, and pages and actions of the portal. */

type Hit = SearchHits['hits'][number]

// What the server returns of each kind.
const shownOfKind = 5

type Kind = { kind: Hit['kind']; Icon: Result['Icon']; href(hit: Hit): string; all(q: string): string }

const kinds: Kind[] = [
  { kind: 'shipment', Icon: IconPackages, href: ({ id }) => paths.shipment(id), all: (q) => paths.shipments({ q }) },
  {
    kind: 'purchase_order',
    Icon: IconClipboardList,
    href: ({ id }) => paths.order(id),
    all: (q) => paths.orders({ q }),
  },
  { kind: 'invoice', Icon: IconReceipt2, href: ({ id }) => paths.invoice(id), all: (q) => paths.invoices({ q }) },
  {
    kind: 'document',
    Icon: IconFileText,
    href: ({ title }) => paths.documents({ q: title }),
    all: (q) => paths.documents({ q }),
  },
]

export function useResults(typed: string): { groups: ResultGroup[]; isFresh: boolean } {
  const m = useMessages()
  const mayWrite = useMay('write')
  const q = typed.trim()
  // A query per text, so that a late response cannot replace a newer one.
  const { data, isPlaceholderData, isFetching } = useQuery({ ...searchQuery(q), enabled: q !== '' })
  const hits = q === '' ? [] : (data?.hits ?? [])
  const pages = matching(pagesOf(m), q)
  const groups = [
    ...kinds.map(({ kind, Icon, href, all }) => {
      const items = hits
        .filter((hit) => hit.kind === kind)
        .map((hit) => ({ key: `${kind} ${hit.id}`, title: hit.title, detail: hit.detail, href: href(hit), Icon }))
      const rest = { key: `${kind} all`, title: m.palette.showAll, href: all(q), Icon: IconList }
      return { name: kind, title: m.palette[kind], items: items.length < shownOfKind ? items : [...items, rest] }
    }),
    { name: 'pages', title: m.palette.pages, items: pages },
    { name: 'actions', title: m.palette.actions, items: matching(mayWrite ? actionsOf(m) : [], q) },
  ].filter(({ items }) => items.length > 0)
  // A page whose name begins with the text comes first.
  const isPageMeant = q !== '' && pages.some(({ title }) => plain(title).startsWith(plain(q)))
  if (isPageMeant)
    groups.unshift(
      ...groups.splice(
        groups.findIndex(({ name }) => name === 'pages'),
        1,
      ),
    )
  return { groups, isFresh: q === '' || (data !== undefined && !isPlaceholderData) || !isFetching }
}

function pagesOf({ nav }: Messages): Result[] {
  return [...mainPages, ...furtherPages].map((page) => ({
    key: page.name,
    title: nav[page.name],
    href: addressOf(page),
    Icon: page.Icon,
  }))
}

function actionsOf({ orderForm, orderUpload }: Messages): Result[] {
  return [
    { key: 'new order', title: orderForm.newTitle, href: paths.newOrder(), Icon: IconPlus },
    { key: 'upload', title: orderUpload.title, href: paths.uploadOrders(), Icon: IconTableImport },
  ]
}
