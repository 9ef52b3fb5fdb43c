import { IconClockExclamation } from '@tabler/icons-react'
import type { Invoice } from '../../../contract/invoice.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { StatusBadge } from '../../parts/badges.js'
import { DayText } from '../../parts/day-text.js'
import { isOpen } from './due.js'
import styles from './invoices.module.css'

/** When it is due, and how far away that is: as long as there is something to pay. */
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
