import type { ExceptionPage } from '../../contract/portal/exceptions.js'
import type { Language } from '../../contract/portal/people.js'
import { englishKinds } from '../../domain/exceptions/reason-texts.js'
import { frenchKinds } from '../../domain/exceptions/reason-texts-fr.js'
import { writtenReason } from '../../domain/notifications/notification-texts.js'
import { spreadsheetFile } from '../../spreadsheet/spreadsheet-file.js'
import type { PortalHandler } from '../portal-context.js'
import { type Column, dayCell, skippingSheet } from '../search/list-sheet.js'
import { readExceptions } from './find-exceptions.js'

type Listed = ExceptionPage['exceptions'][number]
type Row = Listed & { language: Language; line?: Listed['exception']['threatens'][number] }

const kinds = { en: englishKinds, fr: frenchKinds }

const columns: Column<Row>[] = [
  { en: 'Kind', fr: 'Nature', of: ({ exception, language }) => kinds[language][exception.kind] },
  { en: 'Severity', fr: 'Gravité', of: ({ exception }) => exception.severity },
  { en: 'State', fr: 'État', of: ({ exception }) => exception.state },
  {
    en: 'Reason',
    fr: 'Motif',
    of: ({ exception, place_name, language }) => writtenReason({ ...exception, place_name }, language),
  },
  { en: 'Raised', fr: 'Signalé le', of: ({ exception }) => dayCell(exception.raised_at.slice(0, 10)) },
  { en: 'Shipment', fr: 'Expédition', of: ({ exception }) => exception.svc_shipment_id },
  { en: 'Shipment name', fr: 'Nom de l’expédition', of: ({ shipment_name }) => shipment_name },
  { en: 'Container', fr: 'Conteneur', of: ({ exception }) => exception.container_number },
  { en: 'Order', fr: 'Commande', of: ({ exception, line }) => line?.po_number ?? exception.po_number },
  { en: 'Line', fr: 'Ligne', of: ({ line }) => line?.line },
  { en: 'SKU', fr: 'Article', of: ({ line }) => line?.sku },
  { en: 'Quantity', fr: 'Quantité', of: ({ line }) => line?.quantity },
  { en: 'Wanted by', fr: 'Souhaité pour', of: ({ line }) => dayCell(line?.desired_date) },
  { en: 'Expected', fr: 'Attendu', of: ({ line }) => dayCell(line?.expected_date?.slice(0, 10)) },
  { en: 'Days late', fr: 'Jours de retard', of: ({ line }) => line?.days_late },
  { en: 'Forwarder’s owner', fr: 'Suivi par', of: ({ owner }) => owner },
  { en: 'Acknowledged by', fr: 'Pris en compte par', of: ({ acknowledged_by }) => acknowledged_by },
]

// Read in pages: a request holds up no others.
const pageLength = 100

/** All that matches, in the order of the list: a row for each threatened order line, or one if there is none. */
export const exportExceptions: PortalHandler<'exportExceptions'> = async (
  { db, account, person: { language }, today },
  { query },
) => {
  const { format, ...filter } = query
  const sheet = await skippingSheet<Listed, Row>(
    {
      name: { en: 'Exceptions', fr: 'Anomalies' },
      fileName: `exceptions-${today}`,
      language,
      columns,
      rowsOf: (listed) => rowsOf(listed, language),
      read: (page) => readExceptions(db, account, filter, page),
    },
    pageLength,
  )
  return spreadsheetFile(format, sheet)
}

function rowsOf(listed: Listed, language: Language): Row[] {
  const { threatens } = listed.exception
  return threatens.length === 0 ? [{ ...listed, language }] : threatens.map((line) => ({ ...listed, language, line }))
}
