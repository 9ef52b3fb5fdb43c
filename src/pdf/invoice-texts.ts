import type { TaxCategory } from '../contract/billing.js'

/** The texts of the PDF of an invoice, in the languages that invoices are written in. */

const monthsIn = {
  en: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  fr: ['janv.', 'févr.', 'mars', 'avr.', 'mai', 'juin', 'juil.', 'août', 'sept.', 'oct.', 'nov.', 'déc.'],
}

// The local date as recorded: the offset of a DateWithTime is not applied.
function dateIn(language: 'en' | 'fr', date: string): string {
  const [year, month, day] = date.slice(0, 10).split('-')
  return `${Number(day)} ${monthsIn[language][Number(month) - 1]} ${year}`
}

type Categories = Record<TaxCategory, string>

const en = {
  invoice: 'Invoice',
  creditNote: 'Credit note',
  draft: 'DRAFT',
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  date: (date: string) => dateIn('en', date),
  number: 'Number',
  reference: 'Reference',
  dateLabel: 'Date',
  due: 'Due',
  shipment: 'Shipment',
  credits: 'Credits invoice',
  billTo: 'Bill to',
  creditTo: 'Credit to',
  vatNumber: (number: string) => `VAT ${number}`,
  noLines: 'No lines are listed.',
  category: 'Category',
  description: 'Description',
  quantity: 'Quantity',
  unitRate: 'Unit rate',
  vat: 'VAT',
  net: 'Net',
  total: 'Total',
  disbursed: 'none',
  disbursements: 'Disbursements, without VAT',
  moreLines: (count: number) => `${count} more lines are not printed. The sums include them.`,
  vatOn: (rate: string, net: string, category?: string) =>
    `VAT ${rate} %${category === undefined || category === '' ? '' : ` (${category})`} on ${net}`,
  moreRates: (count: number) => `VAT of ${count} more rates`,
  moreSettled: (count: number) => `${count} more credit notes and payments`,
  paidOn: (date: string) => `Paid on ${date}`,
  paidBackOn: (date: string) => `Paid back on ${date}`,
  remainingCredit: 'Remaining credit',
  amountDue: 'Amount due',
  writtenOff: 'Written off',
  paid: 'Paid',
  converted: (rate: string) => `Converted at 1 USD = ${rate} EUR.`,
  accounting: (of: string, currency: string, rate: string, date: string, net: string, vat: string, gross: string) =>
    `In ${currency}, at 1 ${of} = ${rate} ${currency} of ${date}: net ${net}, VAT ${vat}, total ${gross}.`,
  payment: 'Payment',
  holder: 'Account holder',
  iban: 'IBAN',
  bic: 'BIC',
  bank: 'Bank',
  paymentReference: 'Payment reference',
  terms: 'Terms',
  days: (days: number) => (days === 0 ? 'On receipt' : `${days} days from the date of the invoice`),
  daysFromMonthEnd: (days: number) => `${days} days from the end of the month`,
  scan: 'Scan to pay (SEPA)',
  categories: {
    standard: '',
    zero: 'zero rate',
    exempt: 'exempt',
    reverse_charge: 'reverse charge',
    outside_scope: 'outside the scope',
    export: 'export',
  } satisfies Categories,
}

export type InvoiceTexts = typeof en

const fr: InvoiceTexts = {
  invoice: 'Facture',
  creditNote: 'Avoir',
  draft: 'BROUILLON',
  page: (page, pages) => `Page ${page} sur ${pages}`,
  date: (date) => dateIn('fr', date),
  number: 'Numéro',
  reference: 'Référence',
  dateLabel: 'Date',
  due: 'Échéance',
  shipment: 'Expédition',
  credits: 'Avoir sur la facture',
  billTo: 'Facturé à',
  creditTo: 'Crédité à',
  vatNumber: (number) => `TVA ${number}`,
  noLines: 'Aucune ligne.',
  category: 'Catégorie',
  description: 'Désignation',
  quantity: 'Quantité',
  unitRate: 'Prix unitaire',
  vat: 'TVA',
  net: 'HT',
  total: 'Total TTC',
  disbursed: 'sans',
  disbursements: 'Débours, sans TVA',
  moreLines: (count) => `${count} autres lignes ne sont pas imprimées. Les totaux les comprennent.`,
  vatOn: (rate, net, category) =>
    `TVA ${rate} %${category === undefined || category === '' ? '' : ` (${category})`} sur ${net}`,
  moreRates: (count) => `TVA de ${count} autres taux`,
  moreSettled: (count) => `${count} autres avoirs et paiements`,
  paidOn: (date) => `Payé le ${date}`,
  paidBackOn: (date) => `Remboursé le ${date}`,
  remainingCredit: 'Avoir restant',
  amountDue: 'Net à payer',
  writtenOff: 'Passé en pertes',
  paid: 'Payé',
  converted: (rate) => `Converti à 1 USD = ${rate} EUR.`,
  accounting: (of, currency, rate, date, net, vat, gross) =>
    `En ${currency}, à 1 ${of} = ${rate} ${currency} du ${date} : HT ${net}, TVA ${vat}, TTC ${gross}.`,
  payment: 'Paiement',
  holder: 'Titulaire',
  iban: 'IBAN',
  bic: 'BIC',
  bank: 'Banque',
  paymentReference: 'Référence de paiement',
  terms: 'Conditions',
  days: (days) => (days === 0 ? 'À réception' : `${days} jours à compter de la date de facture`),
  daysFromMonthEnd: (days) => `${days} jours fin de mois`,
  scan: 'Scanner pour payer (SEPA)',
  categories: {
    standard: '',
    zero: 'taux zéro',
    exempt: 'exonéré',
    reverse_charge: 'autoliquidation',
    outside_scope: 'hors champ',
    export: 'exportation',
  },
}

export const invoiceTexts = { en, fr }
