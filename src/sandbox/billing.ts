import type { AccountBilling, BillingSettings } from '../contract/billing.js'
import type { ChargeTemplate } from '../contract/operator/invoices.js'

/** Settings of invoicing and templates of charges of the sandbox. All of it is invented. */

export function sandboxBilling(today: string): BillingSettings {
  return {
    seller: {
      name: 'Waybill Forwarding SAS',
      address: ['12 quai de la Douane', '76600 Le Havre'],
      country: 'FR',
      vat_number: 'FR00000000000',
      registration: 'RCS Le Havre 000 000 000',
    },
    bank: { iban: 'FR7630006000011234567890189', bic: 'AGRIFRPP' },
    terms: { days: 30 },
    language: 'en',
    time_zone: 'Europe/Paris',
    standard_rate: 20,
    accounting_currency: 'EUR',
    rates: [
      { currency: 'USD', rate: 0.92, date: today },
      { currency: 'GBP', rate: 1.17, date: today },
    ],
  }
}

/** By short names of accounts. */
export const sandboxCustomerBilling: Record<string, AccountBilling> = {
  demo: {
    tax_category: 'standard',
    buyer: { name: 'Alder & Moreau SAS', address: ['8 rue des Tanneurs', '59000 Lille'], country: 'FR' },
    terms: { days: 45, from: 'end_of_month' },
  },
}

export const sandboxTemplates: ChargeTemplate[] = [
  {
    name: 'Ocean import, FCL',
    freight_mode: 'ocean',
    load_type: 'fcl',
    charges: [
      {
        category: 'freight',
        description: 'Ocean freight',
        per: 'container',
        unit_rate: { amount: 1850, currency: 'EUR' },
        tax_category: 'export',
      },
      {
        category: 'origin',
        description: 'Terminal handling, origin',
        per: 'container',
        unit_rate: { amount: 165, currency: 'EUR' },
        tax_category: 'export',
      },
      { category: 'documents', description: 'Bill of lading', unit_rate: { amount: 45, currency: 'EUR' } },
      { category: 'customs', description: 'Import customs clearance', unit_rate: { amount: 95, currency: 'EUR' } },
    ],
  },
  {
    name: 'Air import',
    freight_mode: 'air',
    charges: [
      {
        category: 'freight',
        description: 'Air freight',
        per: 'chargeable_kg',
        unit_rate: { amount: 3.4, currency: 'EUR' },
        tax_category: 'export',
      },
      { category: 'documents', description: 'Air waybill', unit_rate: { amount: 40, currency: 'EUR' } },
    ],
  },
]
