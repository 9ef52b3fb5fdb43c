import type { Invoice } from '../../../../src/contract/public/invoice.js'
import { InvoiceStatusBadge } from '../../../ui/badges.js'
import { Copyable } from '../../../ui/copyable.js'
import type { Column } from '../../../ui/data-table.js'
import { DayText } from '../../../ui/day-text.js'
import type { Messages } from '../../i18n/messages.js'
import { DueText } from './due-text.js'
import { type Gross, GrossText } from './gross-text.js'
import { type Outstanding, OutstandingText } from './outstanding-text.js'
import { ShipmentLink } from './shipment-link.js'

type Amounts = { gross: Gross; outstanding: Outstanding }

export function invoiceColumns(
  { invoices: m, statuses }: Messages,
  { gross, outstanding }: Amounts,
): Column<Invoice>[] {
  // Where not all fit, the last ones are hidden first.
  return [
    {
      id: 'number',
      header: m.number,
      sort: 'number',
      width: 172,
      always: true,
      cell: ({ number, reference }) => <Copyable text={number ?? reference} />,
    },
    { id: 'status', header: m.status, width: 152, cell: ({ status }) => <InvoiceStatusBadge status={status} /> },
    { id: 'due', header: m.due, sort: 'due', width: 268, cell: (invoice) => <DueText invoice={invoice} /> },
    {
      id: 'shipment',
      header: m.shipment,
      width: 132,
      cell: ({ svc_shipment_id: id }) => id && <ShipmentLink id={id} />,
    },
    {
      id: 'sent',
      header: m.sent,
      sort: 'newest',
      firstOrder: 'desc',
      width: 124,
      cell: ({ sent_date }) => sent_date && <DayText date={sent_date} isShort />,
    },
    { id: 'type', header: m.type, width: 104, cell: ({ type }) => type && statuses.invoiceType[type] },
    {
      id: 'gross',
      header: m.gross,
      sort: 'amount',
      firstOrder: 'desc',
      align: 'right',
      width: 136,
      always: true,
      cell: (invoice) => <GrossText invoice={invoice} gross={gross} />,
    },
    {
      id: 'outstanding',
      header: m.left,
      align: 'right',
      width: 132,
      // Stays where not all columns fit.
      rank: 0,
      cell: ({ reference }) => <OutstandingText amounts={outstanding.get(reference)} />,
    },
  ]
}
