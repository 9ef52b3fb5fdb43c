import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Section } from '../../../ui/section.js'
import { invoiceChecksQuery } from '../../api/queries.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import styles from './passed-checks.module.css'

/** What the forwarder checked before issuing, with the figures that agree. Nothing is shown if nothing was checked. */
export function PassedChecks({ reference }: { reference: string }) {
  const { invoice: m } = useMessages()
  const f = useFormat()
  const { data } = useQuery(invoiceChecksQuery(reference))
  if (!data || data.checks.length === 0) return null
  return (
    <Section title={m.checks.title}>
      <ul className={styles.checks}>
        {data.checks.map(({ check, compared }) => (
          <li key={check}>
            <IconCheck size={16} aria-hidden="true" /> {m.checks.names[check]}
            {compared.map(({ charged, unit }) => (
              <span key={`${charged} ${unit}`} className="soft">
                {' '}
                · {f.number(charged)} {unit}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </Section>
  )
}
