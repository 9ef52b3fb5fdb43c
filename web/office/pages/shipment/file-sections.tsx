import { useQuery } from '@tanstack/react-query'
import { operatorAddress } from '../../../../src/client/operator-client.js'
import type { Shipment } from '../../../../src/contract/public/shipment.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { UploadField } from '../../../portal/pages/documents/exchange/upload-field.js'
import { GrossText } from '../../../portal/pages/invoices/gross-text.js'
import { Clocks, shownClocks } from '../../../portal/pages/shipment/free-time-section.js'
import { SectionError } from '../../../portal/pages/shipment/section-error.js'
import { InvoiceStatusBadge } from '../../../ui/badges.js'
import { ButtonLink } from '../../../ui/button.js'
import { Copyable } from '../../../ui/copyable.js'
import { MomentText } from '../../../ui/moment-text.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { Lines } from '../../../ui/states.js'
import { useMayDo } from '../../api/ops.js'
import {
  documentsQuery,
  freeTimeQuery,
  historyQuery,
  invoicesQuery,
  orderLinesQuery,
  type ShipmentParams,
  uploadDocument,
} from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'

/** The parts of a shipment file below its tracking. Each fetches its own data and shows its own errors. */

export function UnitsSection({ shipment: { cargo } }: { shipment: Shipment }) {
  const { file: m } = useOfficeMessages()
  const { statuses } = useMessages()
  const containers = cargo?.containers ?? []
  return (
    <Section title={m.units} anchor="units" isBare={containers.length > 0}>
      {containers.length === 0 ? (
        <p className="soft">{m.noUnits}</p>
      ) : (
        <PlainTable
          label={m.units}
          rows={containers.map((container, index) => ({
            ...container,
            key: container.container_number ?? String(index),
          }))}
          rowKey={({ key }) => key}
          columns={[
            {
              id: 'number',
              header: m.number,
              isName: true,
              cell: ({ container_number }) => (container_number ? <Copyable text={container_number} /> : '–'),
            },
            { id: 'type', header: m.type, cell: ({ container_type: type }) => type && statuses.containerType[type] },
            { id: 'seal', header: m.seal, cell: ({ seal_number }) => seal_number && <Copyable text={seal_number} /> },
          ]}
        />
      )}
    </Section>
  )
}

export function FreeTime({ params }: { params: ShipmentParams }) {
  const m = useMessages().shipment.freeTime
  const { data } = useQuery(freeTimeQuery(params))
  const clocks = shownClocks(data?.clocks ?? [])
  if (clocks.length === 0) return null
  return (
    <Section title={m.title} anchor="free-time" isBare>
      <Clocks clocks={clocks} />
    </Section>
  )
}

export function OrdersOnIt({ params }: { params: ShipmentParams }) {
  const { file: m } = useOfficeMessages()
  const f = useFormat()
  const { data, error, refetch } = useQuery(orderLinesQuery(params))
  return (
    <Section title={m.orders} anchor="orders" isBare={data !== undefined && data.length > 0}>
      {data ? (
        data.length === 0 ? (
          <p className="soft">{m.noOrders}</p>
        ) : (
          <PlainTable
            label={m.orders}
            rows={data}
            rowKey={({ reference, line }) => `${reference} ${line}`}
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

export function Documents({ params }: { params: ShipmentParams }) {
  const { file: m } = useOfficeMessages()
  const { statuses } = useMessages()
  const { data, error, refetch } = useQuery(documentsQuery(params))
  const mayOperate = useMayDo('operate')
  const { account } = params
  return (
    <Section title={m.documents} anchor="documents">
      {data ? (
        data.length === 0 ? (
          <p className="soft">{m.noDocuments}</p>
        ) : (
          <PlainTable
            label={m.documents}
            rows={data}
            rowKey={({ id }) => id}
            columns={[
              { id: 'name', header: m.name, isName: true, cell: ({ record }) => record.name },
              { id: 'type', header: m.type, cell: ({ record: { type } }) => type && statuses.documentType[type] },
              { id: 'at', header: m.date, cell: ({ recorded_at }) => <MomentText at={recorded_at} look="day" /> },
              {
                id: 'download',
                header: m.download,
                isPlain: true,
                align: 'right',
                cell: ({ id, record }) => (
                  <ButtonLink
                    size="xs"
                    variant="default"
                    href={operatorAddress('getDocumentContent', { account, id })}
                    aria-label={`${m.download}: ${record.name}`}
                    download
                  >
                    {m.download}
                  </ButtonLink>
                ),
              },
            ]}
          />
        )
      ) : (
        <Waiting error={error} retry={() => void refetch()} />
      )}
      {mayOperate && (
        <UploadField
          wanted={[]}
          send={async (file, type) => {
            await uploadDocument(params, file, type)
            await refetch()
          }}
        />
      )}
    </Section>
  )
}

export function Invoices({ params, references }: { params: ShipmentParams; references: string[] }) {
  const { file: m } = useOfficeMessages()
  const { data = [], error, isPending, refetch } = useQuery(invoicesQuery(params, references))
  return (
    <Section title={m.invoices} anchor="invoices" isBare={data.length > 0}>
      {isPending || error ? (
        <Waiting error={error} retry={() => void refetch()} />
      ) : data.length === 0 ? (
        <p className="soft">{m.noInvoices}</p>
      ) : (
        <PlainTable
          label={m.invoices}
          rows={data.flatMap(({ shown }) => shown ?? [])}
          rowKey={({ reference }) => reference}
          columns={[
            { id: 'number', header: m.number, isName: true, cell: ({ reference }) => <Copyable text={reference} /> },
            { id: 'status', header: m.status, cell: ({ status }) => status && <InvoiceStatusBadge status={status} /> },
            {
              id: 'amount',
              header: m.amount,
              align: 'right',
              cell: (invoice) => <GrossText invoice={invoice} />,
            },
          ]}
        />
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
