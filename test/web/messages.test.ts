import { expect, test } from 'vitest'
import { operatorRoles } from '../../src/contract/operator/accounts.js'
import { invoiceStates, orderStates } from '../../src/contract/portal/lists.js'
import { personRoles } from '../../src/contract/portal/people.js'
import { documentTypes } from '../../src/contract/public/document-types.js'
import { invoiceStatuses, invoiceTypes } from '../../src/contract/public/invoice.js'
import { packagingTypes, trackingDateStatuses } from '../../src/contract/public/shared-types.js'
import {
  containerTypes,
  freightModes,
  freightTypes,
  incoterms,
  loadTypes,
  shipmentInvoiceStatuses,
  shipmentStatuses,
} from '../../src/contract/public/shipment.js'
import { stepTypes, trackingStatuses } from '../../src/contract/public/tracking.js'
import { refusalCodes } from '../../src/contract/refusals.js'
import { englishAudit } from '../../web/portal/i18n/audit-en.js'
import { frenchAudit } from '../../web/portal/i18n/audit-fr.js'
import { englishDevelopers } from '../../web/portal/i18n/developers-en.js'
import { frenchDevelopers } from '../../web/portal/i18n/developers-fr.js'
import { en } from '../../web/portal/i18n/en.js'
import { fr } from '../../web/portal/i18n/fr.js'
import { englishWebhooks } from '../../web/portal/i18n/webhooks-en.js'
import { frenchWebhooks } from '../../web/portal/i18n/webhooks-fr.js'

/** Both languages have all texts. */

type Leaf = { path: string; value: unknown }

function leavesOf(value: unknown, path = ''): Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }]
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, path === '' ? key : `${path}.${key}`))
}

const english = leavesOf({ ...en, audit: englishAudit, developers: englishDevelopers, webhooks: englishWebhooks })
const french = new Map(
  leavesOf({ ...fr, audit: frenchAudit, developers: frenchDevelopers, webhooks: frenchWebhooks }).map(
    ({ path, value }) => [path, value],
  ),
)

test('both languages have the same texts', () => {
  expect([...french.keys()].toSorted()).toEqual(english.map(({ path }) => path).toSorted())
})

test('a text with values takes the same number of values in both languages', () => {
  const kind = (value: unknown) => (typeof value === 'function' ? `function of ${value.length}` : typeof value)
  const differing = english.filter(({ path, value }) => kind(value) !== kind(french.get(path)))
  expect(differing.map(({ path }) => path)).toEqual([])
})

test('no text is empty', () => {
  const texts = [...english, ...[...french].map(([path, value]) => ({ path, value }))]
  const empty = texts.filter(({ value }) => typeof value === 'string' && value.trim() === '')
  expect(empty.map(({ path }) => path)).toEqual([])
})

// Words that are the same in both languages.
const same = new Set([
  'Waybill',
  'Actions',
  'Active',
  'Contacts',
  'Description',
  'Destination',
  'Document',
  'Documentation',
  'Documents',
  'documents',
  'Instructions',
  'Mode',
  'Note',
  'Notifications',
  'Pages',
  'Port',
  'positions',
  'SKU',
  'Surcharge',
  'Type',
  'Volume',
  'Voyage',
  // Points of the compass; west differs.
  'N',
  'S',
  'E',
  '20′ standard',
  '20′ flat rack',
  '40′ standard',
  '40′ flat rack',
  '40′ high cube',
  '40′ high cube flat rack',
  '45′ high cube',
])

test('no French text equals the English one, except for words that are the same', () => {
  const untranslated = english.filter(
    ({ path, value }) => typeof value === 'string' && french.get(path) === value && !same.has(value),
  )
  expect(untranslated.map(({ path, value }) => `${path}: ${String(value)}`)).toEqual([])
})

test('French texts use French punctuation and spacing', () => {
  const texts = [...french].filter(([, value]) => typeof value === 'string') as [string, string][]
  // An apostrophe is curved; a colon, semicolon, question or exclamation mark follows a no-break space.
  const wrong = texts.filter(([, text]) => /\w'\w|[A-Za-zà-ÿ)][;?!]|[a-zà-ÿ]:(?!\/)| [:;?!»]|« /.test(text))
  expect(wrong).toEqual([])
})

const words: [name: keyof typeof en.statuses, values: readonly string[]][] = [
  ['shipment', shipmentStatuses],
  ['tracking', trackingStatuses],
  ['date', trackingDateStatuses],
  ['invoice', invoiceStatuses],
  ['shipmentInvoice', shipmentInvoiceStatuses],
  ['invoiceType', invoiceTypes],
  ['invoiceState', invoiceStates],
  ['orderState', orderStates],
  ['mode', freightModes],
  ['loadType', loadTypes],
  ['freightType', freightTypes],
  ['incoterm', incoterms],
  ['containerType', containerTypes],
  ['packaging', packagingTypes],
  ['step', stepTypes],
  ['role', personRoles],
  ['operatorRole', operatorRoles],
  ['documentType', [...documentTypes, 'other']],
]

test.each(words)('there is a text for every %s of the interface, and no other', (name, values) => {
  expect(Object.keys(en.statuses[name]).toSorted()).toEqual([...values].toSorted())
})

test('every code with its own error text is a refusal of the service', () => {
  const codes = new Set<string>(refusalCodes)
  expect(Object.keys(en.problems).filter((code) => !codes.has(code))).toEqual([])
})
