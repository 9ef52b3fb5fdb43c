import { IconChevronDown } from '@tabler/icons-react'
import { Button } from '../../../ui/button.js'
import { Field } from '../../../ui/field.js'
import chip from '../../../ui/filter-menu.module.css'
import { Popover } from '../../../ui/popover.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import styles from './shipments.module.css'

type Props = {
  label: string
  from: string | undefined
  to: string | undefined
  onChange(from: string | undefined, to: string | undefined): void
}

/** A range of dates, open at either end, with presets. */
export function DateRange({ label, from, to, onChange }: Props) {
  const { shipments, common } = useMessages()
  const m = shipments.dates
  const f = useFormat()
  const shown = rangeText(from && f.day(from), to && f.day(to), m)
  const choose = (first: number, last: number, close: () => void) => {
    onChange(dayFrom(f.today(), first), dayFrom(f.today(), last))
    close()
  }
  return (
    <Popover
      label={label}
      trigger={(trigger) => (
        <button type="button" className={chip.button} data-set={shown !== undefined} {...trigger}>
          <span>
            {label}
            {shown !== undefined && common.colon}
          </span>
          {shown !== undefined && <span className="clipped strong">{shown}</span>}
          <IconChevronDown size={14} aria-hidden="true" />
        </button>
      )}
    >
      {(close) => (
        <div className={styles.range}>
          <div className={styles.rangeDays}>
            <Field
              type="date"
              label={m.from}
              value={from ?? ''}
              {...(to !== undefined && { max: to })}
              onChange={({ currentTarget: { value } }) => onChange(value || undefined, to)}
            />
            <Field
              type="date"
              label={m.to}
              value={to ?? ''}
              {...(from !== undefined && { min: from })}
              onChange={({ currentTarget: { value } }) => onChange(from, value || undefined)}
            />
          </div>
          <div className={styles.rangeActions}>
            <Button size="xs" variant="default" onClick={() => choose(0, 7, close)}>
              {m.nextDays(7)}
            </Button>
            <Button size="xs" variant="default" onClick={() => choose(0, 14, close)}>
              {m.nextDays(14)}
            </Button>
            <Button size="xs" variant="default" onClick={() => choose(-30, 0, close)}>
              {m.lastDays(30)}
            </Button>
            {shown !== undefined && (
              <Button size="xs" variant="subtle" onClick={() => onChange(undefined, undefined)}>
                {common.clear}
              </Button>
            )}
          </div>
        </div>
      )}
    </Popover>
  )
}

type Texts = { between(from: string, to: string): string; since(from: string): string; until(to: string): string }

function rangeText(from: string | undefined, to: string | undefined, texts: Texts): string | undefined {
  if (from !== undefined) return to === undefined ? texts.since(from) : texts.between(from, to)
  return to === undefined ? undefined : texts.until(to)
}

function dayFrom(today: string, days: number): string {
  const date = new Date(`${today}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}
