import type { InvoiceVersion } from '../../../../src/contract/operator/invoices.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { MoneyText } from '../../../ui/money-text.js'
import { Section } from '../../../ui/section.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import styles from './billing.module.css'

/** The totals below the lines: by rate, disbursements apart. */
export function Totals({ version: { totals, accounting } }: { version: InvoiceVersion }) {
  const { billing: m } = useOfficeMessages()
  const f = useFormat()
  return (
    <Section title={m.total}>
      <div className={styles.totals}>
        {totals.map(({ currency, net, vat, gross, disbursements }) => {
          const amount = (value: number) => <MoneyText price={{ amount: value, currency }} />
          return (
            <dl key={currency} className={styles.total}>
              <Row label={m.net}>{amount(net)}</Row>
              {vat
                .filter(({ rate }) => rate > 0)
                .map(({ rate, amount: tax }) => (
                  <Row key={rate} label={m.vatAt(f.number(rate))}>
                    {amount(tax)}
                  </Row>
                ))}
              {disbursements !== undefined && disbursements > 0 && (
                <Row label={m.disbursements}>{amount(disbursements)}</Row>
              )}
              <Row label={m.gross} isSum>
                {amount(gross)}
              </Row>
            </dl>
          )
        })}
        {accounting.map(({ of, currency, rate, gross }) => (
          <p key={of} className="soft">
            {m.inAccounting(f.number(rate))}: <MoneyText price={{ amount: gross, currency }} />
          </p>
        ))}
      </div>
    </Section>
  )
}

type RowProps = { label: string; children: React.ReactNode; isSum?: boolean }

function Row({ label, children, isSum = false }: RowProps) {
  return (
    <div className={isSum ? styles.sum : undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
