import { Big } from 'big.js'
import {
  type BankDetails,
  type BillingSettings,
  type CheckFinding,
  type CheckName,
  checkNames,
  type Figures,
  type InvoiceCheck,
  type Party,
} from '../../contract/billing.js'
import type { FreeTimeClock } from '../../contract/public/free-time.js'
import type { InvoiceRecord, InvoiceRecordLine } from '../../contract/public/invoice.js'
import type { Shipment } from '../../contract/public/shipment.js'
import { chargeKind, chargeMode, countedBy } from './charge-kinds.js'
import { quantitiesOf } from './charge-quantities.js'
import { isBorneByOtherSide } from './incoterm-costs.js'
import { totalsOf } from './invoice-totals.js'
import { jsonAmount } from './money.js'

/** What an invoice is checked for before it is issued. Each finding has its figures. */

export type CheckFacts = {
  invoice: Pick<InvoiceRecord, 'type' | 'lines' | 'quoted'>
  shipment: Shipment | undefined
  clocks: FreeTimeClock[]
  /** The other invoices and drafts of the shipment, without credit notes. */
  others: Pick<InvoiceRecord, 'reference' | 'number' | 'lines'>[]
  seller: Party | undefined
  buyer: Party | undefined
  bank: BankDetails | undefined
  accounting?: Pick<BillingSettings, 'accounting_currency' | 'rates'>
}

/** Undefined: there is nothing to check. */
type Result = { findings: CheckFinding[]; compared: Figures[] } | undefined
type Lines = { line: InvoiceRecordLine; index: number }[]

export function checkInvoice(facts: CheckFacts, severities: BillingSettings['checks'] = {}): InvoiceCheck[] {
  const { lines = [], type } = facts.invoice
  const indexed = lines.map((line, index) => ({ line, index }))
  return checkNames.flatMap((check): InvoiceCheck[] => {
    const severity = severities[check] ?? 'warn'
    if (severity === 'off') return []
    // What a credit note gives back was checked when it was charged.
    const isChecked = type !== 'credit_note' || checkedOfNotes.has(check)
    const { findings, compared } = (isChecked && rules[check](facts, indexed)) || { findings: [], compared: undefined }
    if (compared === undefined) return [{ check, outcome: 'not_applicable', findings, compared: [] }]
    const outcome = findings.length === 0 ? 'passed' : severity === 'block' ? 'blocked' : 'warning'
    return [{ check, outcome, findings, compared }]
  })
}

const checkedOfNotes = new Set<CheckName>(['seller', 'buyer', 'tax', 'exchange_rate'])

const rules: Record<CheckName, (facts: CheckFacts, lines: Lines) => Result> = {
  seller({ seller, bank }) {
    const wanted = {
      name: seller?.name,
      address: seller?.address?.length,
      vat_number: seller?.vat_number,
      iban: bank?.iban,
    }
    return found(missing(wanted, 'seller'))
  },
  buyer({ buyer }) {
    return found(missing({ name: buyer?.name, address: buyer?.address?.length }, 'buyer'))
  },
  tax({ buyer, seller }, lines) {
    const findings = lines.flatMap(({ line, index }): CheckFinding[] => {
      const { tax_category, vatRate = 0, disbursement } = line
      if (tax_category === 'reverse_charge' && !buyer?.vat_number) {
        return [{ kind: 'no_vat_number', line: index, message: 'Reverse charge needs the VAT number of the customer.' }]
      }
      if (vatRate > 0 || tax_category || disbursement || seller?.vat_number === undefined) return []
      return [
        { kind: 'no_category', line: index, message: `The line has ${vatRate} % VAT, and no category that says why.` },
      ]
    })
    return found(findings)
  },
  duplicate({ others }, lines) {
    const seen = new Map<string, number>()
    const elsewhere = new Map(others.flatMap((other) => (other.lines ?? []).map((line) => [keyOf(line), other])))
    const findings = lines.flatMap(({ line, index }): CheckFinding[] => {
      const key = keyOf(line)
      const first = seen.get(key)
      seen.set(key, first ?? index)
      if (first !== undefined) {
        const subject = String(first + 1)
        return [{ kind: 'repeated', line: index, subject, message: `The line is the same as line ${subject}.` }]
      }
      const other = elsewhere.get(key)
      if (!other) return []
      const subject = other.number ?? other.reference
      return [{ kind: 'on_other_invoice', line: index, subject, message: `The same line is on ${subject}.` }]
    })
    return found(findings)
  },
  units({ shipment }, lines) {
    const { containers, teus } = quantitiesOf(shipment)
    if (containers === 0) return undefined
    return comparedWith(
      lines.filter(({ line }) => !isByClock(line)),
      { container: { expected: containers, unit: 'containers' }, teu: { expected: teus, unit: 'TEU' } },
    )
  },
  chargeable_weight({ shipment }, lines) {
    const { chargeableKilograms: range } = quantitiesOf(shipment)
    if (shipment?.freight_mode !== 'air' || range === undefined) return undefined
    const freight = lines.filter(({ line }) => chargeKind(line) === 'main')
    return comparedWith(freight, { kg: { expected: range.least, most: range.most, unit: 'kg' } })
  },
  weight_or_measure({ shipment }, lines) {
    const { weightOrMeasure: expected } = quantitiesOf(shipment)
    if (shipment?.load_type !== 'lcl' || shipment.freight_mode === 'air' || expected === undefined) return undefined
    return comparedWith(lines, { wm: { expected, unit: 'W/M' } })
  },
  free_time({ clocks }, lines) {
    const results = (['demurrage', 'detention', 'storage'] as const).flatMap((kind) => {
      const charged = lines.filter(({ line }) => chargeKind(line) === kind && countedBy(line) === 'day')
      const [first] = charged
      const known = clocks.filter(({ clock, days_over }) => clock === kind && days_over !== undefined)
      if (!first || known.length === 0) return []
      const expected = known.reduce((sum, { days_over = 0 }) => sum + days_over, 0)
      const total = charged.reduce((sum, { line }) => sum + (line.quantity?.value ?? 0), 0)
      return [compare(total, { expected, unit: `days of ${kind}` }, first.index)]
    })
    return together(results)
  },
  mode({ shipment }, lines) {
    const mode = shipment?.freight_mode
    if (mode === undefined) return undefined
    const findings = lines.flatMap(({ line, index }): CheckFinding[] => {
      const wanted = chargeMode(line)
      if (wanted === undefined || wanted === mode) return []
      const message = `A charge of ${wanted} freight; the shipment goes by ${mode}.`
      return [{ kind: 'not_for_mode', line: index, subject: mode, message }]
    })
    return found(findings)
  },
  incoterm({ shipment, buyer }, lines) {
    const { incoterm, route } = shipment ?? {}
    const side = sideOf(buyer?.country, route)
    if (incoterm === undefined || side === undefined) return undefined
    const findings = lines.flatMap(({ line, index }): CheckFinding[] => {
      if (!isBorneByOtherSide(incoterm, side, chargeKind(line))) return []
      const other = side === 'importer' ? 'exporter' : 'importer'
      const message = `By ${incoterm.toUpperCase()}, the ${other} pays for this; the customer is the ${side}.`
      return [{ kind: 'borne_by_other_side', line: index, subject: incoterm.toUpperCase(), message }]
    })
    return found(findings)
  },
  delivery({ shipment }, lines) {
    const charged = lines.filter(({ line }) => chargeKind(line) === 'delivery')
    if (!shipment || charged.length === 0) return undefined
    if (shipment.main_tracking_dates?.delivery_date?.status === 'actual' || shipment.status === 'finished')
      return found([])
    const message = 'Delivery is charged, and the goods are not delivered yet.'
    return found(charged.map(({ index }) => ({ kind: 'not_delivered', line: index, message })))
  },
  quote({ invoice: { quoted, lines = [] } }) {
    if (!quoted) return undefined
    const charged = new Map(
      totalsOf(lines).map(({ currency, net, disbursements = 0 }) => [
        currency,
        jsonAmount(new Big(net).minus(disbursements)),
      ]),
    )
    const inQuoted = compare(charged.get(quoted.currency) ?? 0, { expected: quoted.amount, unit: quoted.currency })
    // A charge in another currency was not quoted.
    const others = [...charged].filter(([currency, amount]) => currency !== quoted.currency && amount !== 0)
    return together([inQuoted, ...others.map(([unit, amount]) => compare(amount, { expected: 0, unit }))])
  },
  exchange_rate({ invoice: { lines = [] }, accounting: { accounting_currency: to, rates = [] } = {} }) {
    const foreign = totalsOf(lines)
      .map(({ currency }) => currency)
      .filter((currency) => currency !== to)
    if (to === undefined || foreign.length === 0) return undefined
    const unknown = foreign.filter((currency) => !rates.some((rate) => rate.currency === currency))
    return found(
      unknown.map((subject) => ({
        kind: 'no_rate',
        subject,
        message: `There is no exchange rate from ${subject} to ${to}: the total in ${to} is left out.`,
      })),
    )
  },
}

function found(findings: CheckFinding[]): Result {
  return { findings, compared: [] }
}

function missing(fields: Record<string, unknown>, of: string): CheckFinding[] {
  return Object.entries(fields)
    .filter(([, value]) => value === undefined || value === 0)
    .map(([subject]) => ({ kind: 'missing', subject, message: `The ${of} has no ${subject}.` }))
}

/** With `most`, anything from `expected` to it. */
type Expected = { expected: number; most?: number; unit: string }

function compare(charged: number, { expected, most = expected, unit }: Expected, line?: number): NonNullable<Result> {
  const figures = { charged, expected, unit }
  const rounded = new Big(charged).round(3)
  if (rounded.gte(new Big(expected).round(3)) && rounded.lte(new Big(most).round(3)))
    return { findings: [], compared: [figures] }
  const range = most > expected ? `${expected} to ${most}` : `${expected}`
  const message = `${charged} ${unit} charged, ${range} expected.`
  return { findings: [{ kind: 'differs', ...(line !== undefined && { line }), ...figures, message }], compared: [] }
}

function comparedWith(lines: Lines, expected: Partial<Record<string, Expected>>): Result {
  return together(
    lines.flatMap(({ line, index }) => {
      const wanted = expected[countedBy(line) ?? '']
      return wanted && line.quantity?.value !== undefined ? [compare(line.quantity.value, wanted, index)] : []
    }),
  )
}

function together(results: NonNullable<Result>[]): Result {
  if (results.length === 0) return undefined
  return { findings: results.flatMap((each) => each.findings), compared: results.flatMap((each) => each.compared) }
}

function isByClock(line: InvoiceRecordLine): boolean {
  return ['demurrage', 'detention', 'storage'].includes(chargeKind(line) ?? '')
}

function keyOf({ category = '', description = '', price }: InvoiceRecordLine): string {
  return `${category.toLowerCase()} ${description.trim().toLowerCase()} ${price?.amount} ${price?.currency}`
}

// A customer in the country of the origin exports, one in that of the destination imports.
function sideOf(country: string | undefined, route: Shipment['route']): 'importer' | 'exporter' | undefined {
  const [origin, destination] = [route?.origin_port_unlocode, route?.destination_port_unlocode].map((code) =>
    code?.slice(0, 2),
  )
  if (country === undefined || origin === destination) return undefined
  if (country === destination) return 'importer'
  return country === origin ? 'exporter' : undefined
}
