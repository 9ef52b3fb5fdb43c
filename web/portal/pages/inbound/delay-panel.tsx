import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Delay } from '../../../../src/contract/public/inbound.js'
import type { Shipment } from '../../../../src/contract/public/shipment.js'
import { isDelivered } from '../../../../src/domain/shipments/lateness.js'
import { AppLink } from '../../../ui/app-link.js'
import { LateChip } from '../../../ui/badges.js'
import { Checkbox } from '../../../ui/choices.js'
import { DayText } from '../../../ui/day-text.js'
import { Field } from '../../../ui/field.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { delayQuery } from '../../api/queries.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from './inbound.module.css'

type Line = Delay['late_lines'][number]

/** Which orders and products would be late if the shipment, or its vessel, was some days later. Nothing is saved. */
export function DelayPanel({ shipment }: { shipment: Shipment }) {
  const { svc_shipment_id, status, purchase_order_references = [] } = shipment
  if (purchase_order_references.length === 0 || status === 'cancelled' || isDelivered(shipment)) return null
  return <WhatIf shipment={svc_shipment_id} />
}

function WhatIf({ shipment }: { shipment: string }) {
  const m = useMessages().inbound
  const format = useFormat()
  const [typed, setTyped] = useState('5')
  const [isWhole, setWhole] = useState(false)
  const days = Math.min(365, Math.max(1, Math.trunc(Number(typed)) || 1))
  const query = useQuery(delayQuery(shipment, { days, ...(isWhole && { vessel: 'true' as const }) }))
  const { data: delay, error } = query
  return (
    <Section title={m.whatIf.title}>
      <div className={styles.delay}>
        <Field
          type="number"
          min={1}
          max={365}
          label={m.whatIf.days}
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
        {delay?.vessel !== undefined && (
          <Checkbox
            label={m.whatIf.vessel(delay.vessel)}
            checked={isWhole}
            onChange={({ currentTarget }) => setWhole(currentTarget.checked)}
          />
        )}
      </div>
      <div className={styles.result} aria-live="polite">
        {error ? (
          <ErrorState error={error} retry={() => void query.refetch()} />
        ) : delay ? (
          <p>{m.whatIf.result(delay.newly_late, delay.lines_concerned, (count) => format.number(count))}</p>
        ) : (
          <Lines count={1} />
        )}
      </div>
      {delay && delay.late_lines.length > 0 && (
        <PlainTable<Line>
          label={m.whatIf.title}
          rows={delay.late_lines.slice(0, 100)}
          rowKey={({ reference, line, svc_shipment_id }) => JSON.stringify([reference, line, svc_shipment_id])}
          isFaint={({ is_late_now }) => is_late_now}
          columns={[
            { id: 'sku', header: m.sku, isName: true, cell: ({ sku }) => <span className="mono">{sku}</span> },
            {
              id: 'order',
              header: m.order,
              cell: ({ reference }) => <AppLink href={paths.order(reference)}>{reference}</AppLink>,
            },
            { id: 'quantity', header: m.quantity, align: 'right', cell: ({ quantity }) => format.number(quantity) },
            {
              id: 'later',
              header: m.whatIf.later,
              cell: ({ delayed_date }) => <DayText date={delayed_date} isShort />,
            },
            {
              id: 'wanted',
              header: m.wanted,
              cell: ({ desired_delivery_date: date }) => date && <DayText date={date} isShort />,
            },
            { id: 'late', header: m.late, cell: ({ days_late = 0 }) => <LateChip days={days_late} /> },
            {
              id: 'now',
              header: m.whatIf.now,
              cell: ({ is_late_now }) => (is_late_now ? m.whatIf.already : m.whatIf.newly),
            },
          ]}
        />
      )}
    </Section>
  )
}
