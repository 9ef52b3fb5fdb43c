import { useQuery } from '@tanstack/react-query'
import { useFormat } from '../../../portal/i18n/format.js'
import { SectionError } from '../../../portal/pages/shipment/section-error.js'
import { ButtonLink } from '../../../ui/button.js'
import { Copyable } from '../../../ui/copyable.js'
import { MomentText } from '../../../ui/moment-text.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { Lines } from '../../../ui/states.js'
import { historyQuery, orderLinesQuery, type ShipmentParams } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from './file.module.css'

/** The parts of a shipment file below its tracking. Each fetches its own data and shows its own errors. */

export function OrdersOnIt({ params }: { params: ShipmentParams }) {
  const { file: m, lines } = useOfficeMessages()
  const f = useFormat()
  const { data, error, refetch } = useQuery(orderLinesQuery(params))
  return (
    <Section
      title={m.orders}
      anchor="orders"
      isBare={data !== undefined && data.length > 0}
      aside={
        <ButtonLink size="xs" variant="default" href={paths.orderLines(params.account, params.svc_shipment_id)}>
          {lines.assignAndPack} <kbd className={styles.key}>o</kbd>
        </ButtonLink>
      }
    >
      {data ? (
        data.length === 0 ? (
          <p className="soft">{m.noOrders}</p>
        ) : (
          <PlainTable
            label={m.orders}
            rows={data}
            rowKey={({ reference, line }) => `${reference} ${line}`}
            versionOf={(row) => JSON.stringify(row)}
            columns={[
              { id: 'order', header: m.order, isName: true, cell: ({ reference }) => <Copyable text={reference} /> },
              { id: 'line', header: m.line, cell: ({ line }) => line },
              { id: 'product', header: m.product, cell: ({ name, sku }) => name ?? sku },
              { id: 'quantity', header: m.quantity, align: 'right', cell: ({ quantity }) => f.number(quantity) },
              {
                id: 'shipped',
                header: m.shipped,
                align: 'right',
                cell: ({ shipped_quantity }) => f.number(shipped_quantity),
              },
              {
                id: 'expected',
                header: m.expected,
                cell: ({ expected_date }) => expected_date && f.day(expected_date),
              },
            ]}
          />
        )
      ) : (
        <Waiting error={error} retry={() => void refetch()} />
      )}
    </Section>
  )
}

export function History({ params }: { params: ShipmentParams }) {
  const { file: m } = useOfficeMessages()
  const { data, error, refetch } = useQuery(historyQuery(params))
  return (
    <Section title={m.history} anchor="history" isBare={data !== undefined}>
      {data ? (
        <PlainTable
          label={m.history}
          rows={data}
          rowKey={({ revision }) => String(revision)}
          versionOf={() => ''}
          columns={[
            {
              id: 'at',
              header: m.when,
              isName: true,
              cell: ({ recorded_at }) => <MomentText at={recorded_at} look="second" />,
            },
            { id: 'what', header: m.event, cell: ({ what }) => m.changes[what] },
            { id: 'by', header: m.changedBy, cell: ({ recorded_by }) => recorded_by },
            {
              id: 'fields',
              header: m.fields,
              cell: ({ changes, reason }) =>
                [reason, ...changes.map(({ pointer }) => pointer.slice(1).replaceAll('/', ' › '))]
                  .filter(Boolean)
                  .join(', '),
            },
          ]}
        />
      ) : (
        <Waiting error={error} retry={() => void refetch()} />
      )}
    </Section>
  )
}

function Waiting({ error, retry }: { error: unknown; retry: () => void }) {
  return error ? <SectionError error={error} retry={retry} /> : <Lines count={3} />
}
