import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams, useRouter, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useCallback, useState } from 'react'
import type {
  PurchaseOrder,
  PurchaseOrderCreate,
  PurchaseOrderUpdate,
} from '../../../../src/contract/public/purchase-order.js'
import { isAssigned } from '../../../../src/domain/purchase-orders/order-quantities.js'
import { Page } from '../../../ui/page.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { api } from '../../api/client.js'
import { orderQuery } from '../../api/queries.js'
import { useMay, useSession } from '../../api/session.js'
import { useMessages, useReader } from '../../i18n/messages.js'
import { paths, readSearchText } from '../../paths.js'
import {
  copyOf,
  draftOf,
  emptyDraft,
  isSame,
  type OrderDraft,
  orderToCreate,
  orderToUpdate,
  type SentOrder,
} from './order-draft.js'
import { OrderFormView } from './order-form.js'
import { AssignedNotice } from './order-form-notices.js'
import { type Rules, useOrderForm } from './use-order-form.js'

// Constant functions, so that validation is memoized.
const faultsToCreate = (rules: Rules, order: SentOrder) => rules.faultsToCreate(order)
const faultsToUpdate = (rules: Rules, changes: SentOrder) => rules.faultsToUpdate(changes)

/** History state for the page of a saved order. */
export type SavedState = { savedOrder: 'created' | 'updated' }

export function NewOrderPage() {
  const m = useMessages()
  const [round, setRound] = useState(0)
  return (
    <WritersOnly title={m.orderForm.newTitle}>
      <NewOrderLike round={round} restart={() => setRound(round + 1)} />
    </WritersOnly>
  )
}

/** Starts with the content of another order, if the address names one. */
function NewOrderLike({ round, restart }: { round: number; restart(): void }) {
  const m = useMessages()
  const from = useRouterState({ select: ({ location }) => readSearchText(location.searchStr).from })
  const { data: order, error, refetch } = useQuery({ ...orderQuery(from ?? ''), enabled: from !== undefined })
  if (from === undefined) return <NewOrder key={round} restart={restart} />
  if (order) return <NewOrder key={`${round} ${from}`} like={order} restart={restart} />
  return (
    <Page title={m.orderForm.newTitle} isLoading={!error}>
      {error ? <ErrorState error={error} retry={() => void refetch()} /> : <Lines count={6} />}
    </Page>
  )
}

function NewOrder({ like, restart }: { like?: PurchaseOrder; restart(): void }) {
  const m = useMessages()
  const { language } = useReader()
  const onSaved = useSaved('created')
  const [initial] = useState(() => (like ? copyOf(like, language) : emptyDraft()))
  const form = useOrderForm({
    storageKey: useStorageKey(like ? `like ${like.po_number}` : 'new'),
    initial,
    toSend: useCallback((draft: OrderDraft) => orderToCreate(draft, language), [language]),
    faultsIn: faultsToCreate,
    send: (order, idempotencyKey) => api.v1.createPurchaseOrder({ body: order as PurchaseOrderCreate, idempotencyKey }),
    onSaved,
    restart,
  })
  return (
    <Page title={m.orderForm.newTitle} lead={like ? m.orderForm.copyLead(like.po_number) : m.orderForm.newLead}>
      <OrderFormView form={form} submitLabel={m.orderForm.create} back={paths.orders()} />
    </Page>
  )
}

export function EditOrderPage() {
  const m = useMessages()
  const { reference = '' } = useParams({ strict: false })
  const { data: order, error, refetch } = useQuery(orderQuery(reference))
  const [round, setRound] = useState(0)
  const title = m.orderForm.editTitle(reference)
  if (order) {
    return (
      <WritersOnly title={title}>
        <EditOrder key={`${round} ${reference}`} order={order} restart={() => setRound(round + 1)} />
      </WritersOnly>
    )
  }
  return (
    <Page title={title} isLoading={!error}>
      {error ? <ErrorState error={error} retry={() => void refetch()} /> : <Lines count={6} />}
    </Page>
  )
}

function EditOrder({ order, restart }: { order: PurchaseOrder; restart(): void }) {
  const m = useMessages()
  const { language } = useReader()
  const reference = order.po_number
  const onSaved = useSaved('updated')
  const [initial] = useState(() => draftOf(order, language))
  const form = useOrderForm({
    storageKey: useStorageKey(`edit ${reference}`),
    initial,
    toSend: useCallback((draft: OrderDraft) => orderToUpdate(draft, initial, language), [initial, language]),
    faultsIn: faultsToUpdate,
    send: (changes, idempotencyKey) =>
      api.v1.updatePurchaseOrder({ body: changes as PurchaseOrderUpdate, idempotencyKey }),
    onSaved,
    restart,
  })
  const isLocked = isAssigned(order)
  const hasChanged = !isLocked && !isSame(JSON.parse(form.base), draftOf(order, language))
  if (isLocked && !form.isDirty) {
    return (
      <Page title={m.orderForm.editTitle(reference)}>
        <AssignedNotice reference={reference} />
      </Page>
    )
  }
  return (
    <Page title={m.orderForm.editTitle(reference)} lead={m.orderForm.editLead}>
      <OrderFormView
        form={form}
        submitLabel={m.orderForm.saveChanges}
        back={paths.order(reference)}
        existing={{ reference, isLocked, hasChanged }}
      />
    </Page>
  )
}

/** Shows viewers why they cannot use a form. */
function WritersOnly({ title, children }: { title: string; children: ReactNode }) {
  const m = useMessages()
  const mayWrite = useMay('write')
  if (mayWrite) return children
  const { what, remedy } = m.problems.insufficient_role
  return (
    <Page title={title}>
      <p role="alert">
        {what}. {remedy}
      </p>
    </Page>
  )
}

// Per person: someone else may sign in to the same tab.
function useStorageKey(what: string): string {
  const { account, person } = useSession()
  return `waybill.order-draft ${account.slug} ${person.person_id} ${what}`
}

function useSaved(what: 'created' | 'updated') {
  const router = useRouter()
  const queries = useQueryClient()
  return (reference: string) => {
    void queries.invalidateQueries({ queryKey: ['purchase_order'] })
    router.history.replace(paths.order(reference), { savedOrder: what } satisfies SavedState)
  }
}
