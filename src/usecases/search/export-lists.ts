import type { Document } from '../../contract/public/document.js'
import type { Invoice, VatRounding } from '../../contract/public/invoice.js'
import type { PurchaseOrder } from '../../contract/public/purchase-order.js'
import { totalsOfRecord } from '../../domain/invoices/credit-rounding.js'
import { readRecords } from '../../ledger/records.js'
import { spreadsheetFile } from '../../spreadsheet/spreadsheet-file.js'
import { searchDocuments } from '../../store/search/document-search.js'
import { searchInvoices } from '../../store/search/invoice-search.js'
import { searchPurchaseOrders } from '../../store/search/purchase-order-search.js'
import type { PortalHandler } from '../portal-context.js'
import { type Column, dayCell, listSheet } from './list-sheet.js'

/** The lists of the portal as spreadsheets: exactly what the search of the list finds. */

type InvoiceRow = { invoice: Invoice; total: { currency?: string; net?: number; gross?: number } }

const invoiceColumns: Column<InvoiceRow>[] = [
  { en: 'Number', fr: 'Numéro', of: ({ invoice }) => invoice.number },
  { en: 'Reference', fr: 'Référence', of: ({ invoice }) => invoice.reference },
  { en: 'Type', fr: 'Type', of: ({ invoice }) => invoice.type },
  { en: 'Status', fr: 'Statut', of: ({ invoice }) => invoice.status },
  { en: 'Shipment', fr: 'Expédition', of: ({ invoice }) => invoice.svc_shipment_id },
  { en: 'Sent', fr: 'Envoyée le', of: ({ invoice }) => dayCell(invoice.sent_date?.slice(0, 10)) },
  { en: 'Due', fr: 'Échéance', of: ({ invoice }) => dayCell(invoice.due_date) },
  { en: 'Currency', fr: 'Devise', of: ({ total }) => total.currency },
  { en: 'Net', fr: 'Net', of: ({ total }) => total.net },
  { en: 'Gross', fr: 'TTC', of: ({ total }) => total.gross },
]

/** A row for each currency of an invoice: amounts of several are not summed. */
export const exportInvoices: PortalHandler<'exportInvoices'> = async ({ db, account, person, today }, { query }) => {
  const { format, ...search } = query
  const roundings = new Map<string, VatRounding[] | undefined>()
  const sheet = await listSheet<Invoice, InvoiceRow>({
    name: { en: 'Invoices', fr: 'Factures' },
    fileName: `invoices-${today}`,
    language: person.language,
    columns: invoiceColumns,
    parse: (body) => JSON.parse(body) as Invoice,
    rowsOf(invoice) {
      const totals = totalsOfRecord({ lines: invoice.lines, vat_rounding: roundings.get(invoice.reference) })
      return totals.length === 0 ? [{ invoice, total: {} }] : totals.map((total) => ({ invoice, total }))
    },
    async read(page) {
      const found = await searchInvoices(db, account, { ...search, ...page }, today)
      const records = await readRecords(db, account, 'invoice', found.ids)
      for (const [reference, { vat_rounding }] of records) roundings.set(reference, vat_rounding)
      return found
    },
  })
  return spreadsheetFile(format, sheet)
}

type OrderLine = NonNullable<PurchaseOrder['purchase_order_lines']>[number]
type OrderRow = { order: PurchaseOrder; line: Partial<OrderLine> }

const orderColumns: Column<OrderRow>[] = [
  { en: 'Order', fr: 'Commande', of: ({ order }) => order.po_number },
  { en: 'Supplier', fr: 'Fournisseur', of: ({ order }) => order.supplier_name },
  { en: 'Line', fr: 'Ligne', of: ({ line }) => line.reference },
  { en: 'SKU', fr: 'SKU', of: ({ line }) => line.product?.sku },
  { en: 'Product', fr: 'Produit', of: ({ line }) => line.product?.name },
  { en: 'Ordered quantity', fr: 'Quantité commandée', of: ({ line }) => line.ordered_quantity },
  {
    en: 'Wanted ex factory',
    fr: 'Sortie d’usine souhaitée',
    of: ({ order }) => dayCell(order.desired_ex_factory_date),
  },
  {
    en: 'Wanted by',
    fr: 'Souhaité pour',
    of: ({ order }) => dayCell(order.desired_delivery_date),
  },
]

/** A row for each line of an order. */
export const exportPurchaseOrders: PortalHandler<'exportPurchaseOrders'> = async (
  { db, account, person, today },
  { query },
) => {
  const { format, ...search } = query
  const sheet = await listSheet<PurchaseOrder, OrderRow>({
    name: { en: 'Orders', fr: 'Commandes' },
    fileName: `orders-${today}`,
    language: person.language,
    columns: orderColumns,
    parse: (body) => JSON.parse(body) as PurchaseOrder,
    rowsOf(order) {
      const lines = order.purchase_order_lines ?? []
      return lines.length === 0 ? [{ order, line: {} }] : lines.map((line) => ({ order, line }))
    },
    read: (page) => searchPurchaseOrders(db, account, { ...search, ...page }, today),
  })
  return spreadsheetFile(format, sheet)
}

type ListedDocument = Omit<Document, 'link'>

const documentColumns: Column<ListedDocument>[] = [
  { en: 'File', fr: 'Fichier', of: ({ name }) => name },
  { en: 'Type', fr: 'Type', of: ({ type }) => type },
  { en: 'Shipment', fr: 'Expédition', of: ({ svc_shipment_id }) => svc_shipment_id },
  { en: 'Uploaded', fr: 'Ajouté le', of: ({ uploaded_at }) => dayCell(uploaded_at) },
  { en: 'Size (bytes)', fr: 'Taille (octets)', of: ({ size }) => size },
  { en: 'Identifier', fr: 'Identifiant', of: ({ id }) => id },
]

export const exportDocuments: PortalHandler<'exportDocuments'> = async ({ db, account, person, today }, { query }) => {
  const { format, ...search } = query
  const sheet = await listSheet<ListedDocument, ListedDocument>({
    name: { en: 'Documents', fr: 'Documents' },
    fileName: `documents-${today}`,
    language: person.language,
    columns: documentColumns,
    // Stored bodies end before the link.
    parse: (body) => JSON.parse(`${body}}`) as ListedDocument,
    rowsOf: (document) => [document],
    read: (page) => searchDocuments(db, account, { ...search, ...page }),
  })
  return spreadsheetFile(format, sheet)
}
