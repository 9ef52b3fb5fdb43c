import { IconClockExclamation } from '@tabler/icons-react'
import type { Invoice } from '../../../../src/contract/public/invoice.js'
import { StatusBadge } from '../../../ui/badges.js'
import { DayText } from '../../../ui/day-text.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import styles from './invoices.module.css'
import { isOpen } from './is-open.js'

/** The due date; while payment is expected, also how far away it is. */
export function DueText({ invoice }: { invoice: Invoice }) {
  const m = useMessages().invoices
  const format = useFormat()
  const { due_date } = invoice
  if (due_date === undefined) return null
  const overdue = -format.daysFromToday(due_date)
  if (!isOpen(invoice)) return <DayText date={due_date} isShort />
  if (overdue <= 0) return <DayText date={due_date} />
  return (
    <span className={styles.due}>
      <DayText date={due_date} isShort />
      <StatusBadge tone={overdue > 30 ? 'problem' : 'late'}>
        <IconClockExclamation size={13} aria-hidden="true" /> {m.overdueBy(overdue)}
      </StatusBadge>
    </span>
  )
}
