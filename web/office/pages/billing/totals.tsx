import type { InvoiceVersion } from '../../../../src/contract/operator/invoices.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { Facts } from '../../../portal/pages/shipment/facts.js'
import { MoneyText } from '../../../ui/money-text.js'
import { Section } from '../../../ui/section.js'
import { useOfficeMessages } from '../../i18n/messages.js'

/** The totals below the lines: by rate, disbursements apart. */
export function Totals({ version: { totals, accounting } }: { version: InvoiceVersion }) {
  const { billing: m } = useOfficeMessages()
  const f = useFormat()
  return (
    <Section title={m.total}>
      {totals.map(({ currency, net, vat, gross, disbursements }) => (
        <Facts
          key={currency}
          facts={[
            [m.net, <MoneyText key="net" price={{ amount: net, currency }} />],
            ...vat
              .filter(({ rate }) => rate > 0)
              .map(({ rate, amount }): [string, React.ReactNode] => [
                m.vatAt(f.number(rate)),
                <MoneyText key={rate} price={{ amount, currency }} />,
              ]),
            [
              m.disbursements,
              disbursements && <MoneyText key="disbursed" price={{ amount: disbursements, currency }} />,
            ],
            [m.gross, <MoneyText key="gross" className="strong" price={{ amount: gross, currency }} />],
          ]}
        />
      ))}
      {accounting.map(({ of, currency, rate, gross }) => (
        <p key={of} className="soft">
          {m.inAccounting(f.number(rate))}: <MoneyText price={{ amount: gross, currency }} />
        </p>
      ))}
    </Section>
  )
}
