import { spreadsheetFile } from '../../spreadsheet/spreadsheet-file.js'
import type { PortalHandler } from '../portal-context.js'
import { shipmentSheet } from './shipment-sheet.js'

export const exportShipments: PortalHandler<'exportShipments'> = async ({ db, account, person, today }, { query }) => {
  const { format, ...search } = query
  return spreadsheetFile(format, await shipmentSheet(db, account, search, { language: person.language, today }))
}
