import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { reasonText } from '../../../../src/domain/exceptions/reason-text.js'
import { type Format, useFormat } from '../../../portal/i18n/format.js'
import { type Messages, useMessages } from '../../../portal/i18n/messages.js'
import { StatusBadge, type Tone } from '../../../ui/badges.js'
import { accountsQuery } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import type { ItemOf, WorkItem } from './work-item.js'

const tones = { critical: 'problem', warning: 'late', info: 'planned' } as const satisfies Record<string, Tone>

export function ItemBadge({ item }: { item: WorkItem }) {
  const { work: m } = useOfficeMessages()
  if (item.type !== 'exception') return <StatusBadge tone="accent">{m.types[item.type]}</StatusBadge>
  const { severity, kind } = item.exception.record
  const mark = severity === 'critical' ? 'full' : severity === 'warning' ? 'half' : 'hollow'
  return (
    <StatusBadge tone={tones[severity]} mark={mark}>
      {m.kinds[kind]}
      <span className="visually-hidden"> ({m.severities[severity]})</span>
    </StatusBadge>
  )
}

/** Why it was raised, in a sentence. */
export function exceptionText({ exception }: ItemOf<'exception'>, { exceptions }: Messages, f: Format): string {
  const { record, place_name } = exception
  return reasonText({ ...record, place_name }, exceptions.reasons, f)
}

type ItemTexts = {
  title: string
  customer?: string | undefined
  /** What the shipment is called. */
  shipment?: string | undefined
  subject: string
}

export function useItemTexts(): (item: WorkItem) => ItemTexts {
  const { work: m } = useOfficeMessages()
  const messages = useMessages()
  const { statuses } = messages
  const f = useFormat()
  const nameOf = useAccountNames()
  return (item) => {
    switch (item.type) {
      case 'exception': {
        const { account, record, shipment_name } = item.exception
        const { svc_shipment_id, po_number, invoice_reference, container_number } = record
        return {
          title: exceptionText(item, messages, f),
          customer: nameOf(account),
          shipment: shipment_name,
          // The narrowest: exceptions of several containers of a shipment would look the same.
          subject: invoice_reference ?? container_number ?? svc_shipment_id ?? po_number ?? '',
        }
      }
      case 'message': {
        const { sender, outcome, reason, format } = item.message
        const known = outcome === 'quarantined' || outcome === 'unreadable' ? outcome : 'unmatched'
        return { title: reason ?? m.messageTitle(sender, m.outcomes[known]), subject: `${sender} · ${format}` }
      }
      case 'code': {
        const { code, sender, text, format } = item.code
        return { title: text ? `${code}: ${text}` : m.codeTitle(code, sender), subject: `${sender} · ${format}` }
      }
      case 'order': {
        const { account_name, reference, supplier_name, lines } = item.order
        const open = m.openLines(lines.length)
        return { title: supplier_name ? `${supplier_name}: ${open}` : open, customer: account_name, subject: reference }
      }
      case 'request': {
        const { account_name, shipment } = item.request
        const { svc_shipment_id, name } = shipment
        return { title: name ?? m.requested, customer: account_name, subject: svc_shipment_id }
      }
      case 'dispute': {
        const { account_name, reference, number, disputed, outstanding } = item.invoice
        const amounts = (disputed.length > 0 ? disputed : outstanding).map(({ amount, currency }) =>
          f.money({ amount, currency }),
        )
        return { title: m.disputedAmount(amounts.join(', ')), customer: account_name, subject: number ?? reference }
      }
      case 'conversation': {
        const { account_name, last_message, svc_shipment_id, po_number } = item.conversation
        const { author, text } = last_message
        return { title: `${author.name}: ${text}`, customer: account_name, subject: svc_shipment_id ?? po_number ?? '' }
      }
      case 'needed': {
        const { account_name, svc_shipment_id, documents } = item.needed
        const names = documents.map(({ type }) => messages.proposals.required[type])
        return { title: m.neededSoon(names.join(', ')), customer: account_name, subject: svc_shipment_id }
      }
      case 'document': {
        const { account_name, proposal } = item.document
        const { name, type, svc_shipment_id } = proposal
        const typeName = type === undefined || type === null ? undefined : statuses.documentType[type]
        return {
          title: typeName ? `${name} (${typeName})` : name,
          customer: account_name,
          subject: svc_shipment_id ?? '',
        }
      }
    }
  }
}

/** The names of customers by their slugs. */
export function useAccountNames(): (slug: string) => string {
  const { data = [] } = useQuery(accountsQuery())
  const names = useMemo(() => new Map(data.map(({ slug, name }) => [slug, name])), [data])
  return (slug) => names.get(slug) ?? slug
}
