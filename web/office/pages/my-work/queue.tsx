import { useEffect, useRef } from 'react'
import { ChangeMark } from '../../../ui/change-mark.js'
import { RowCheckbox } from '../../../ui/choices.js'
import { DayText } from '../../../ui/day-text.js'
import { MomentText } from '../../../ui/moment-text.js'
import type { Mark } from '../../../ui/use-changes.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { ItemBadge, useItemTexts } from './item-texts.js'
import styles from './work.module.css'
import type { WorkItem } from './work-item.js'

type Props = {
  items: WorkItem[]
  /** How many there are, also those that are not rendered; undefined while more can be loaded. */
  count: number | undefined
  active: WorkItem | undefined
  selected: Set<string>
  isSelectable: (item: WorkItem) => boolean
  onOpen: (item: WorkItem) => void
  onSelect: (item: WorkItem) => void
  marks: ReadonlyMap<string, Mark>
}

export function Queue({ items, count, active, selected, isSelectable, onOpen, onSelect, marks }: Props) {
  const { work: m } = useOfficeMessages()
  const textsOf = useItemTexts()
  const body = useRef<HTMLTableSectionElement>(null)
  useEffect(() => {
    body.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [active?.key])
  return (
    <table className={styles.queue} aria-label={m.queue} aria-rowcount={count === undefined ? -1 : count + 1}>
      <thead>
        <tr>
          <td className={styles.check} />
          <th scope="col" className={styles.whatColumn}>
            {m.columns.what}
          </th>
          <th scope="col" className={`${styles.wide} ${styles.ownerColumn}`}>
            {m.columns.owner}
          </th>
          <th scope="col" className={styles.dueColumn}>
            {m.columns.due}
          </th>
          <th scope="col" className={styles.wide}>
            {m.columns.since}
          </th>
        </tr>
      </thead>
      <tbody ref={body}>
        {items.map((item) => {
          const { title, customer, shipment, subject } = textsOf(item)
          return (
            <tr
              key={item.key}
              aria-current={item.key === active?.key ? 'true' : undefined}
              data-selected={selected.has(item.key) || undefined}
              // The button in the row is for the keyboard.
              onClick={() => onOpen(item)}
            >
              <td className={styles.check} onClick={(event) => event.stopPropagation()}>
                {isSelectable(item) && (
                  <RowCheckbox
                    label={m.select(title)}
                    checked={selected.has(item.key)}
                    onChange={() => onSelect(item)}
                  />
                )}
              </td>
              <td>
                <button type="button" className={styles.title} title={title}>
                  <ChangeMark mark={marks.get(item.key)} />
                  {title}
                </button>
                <span className={styles.about}>
                  <ItemBadge item={item} />
                  <span className="clipped">{customer}</span>
                  {shipment !== undefined && (
                    <span className={`clipped ${styles.wide}`} title={shipment}>
                      {shipment}
                    </span>
                  )}
                  <span className="clipped mono">{subject}</span>
                </span>
              </td>
              <td className={styles.wide}>
                <span className="clipped">{item.owner}</span>
              </td>
              <td>{item.due !== undefined && <DayText date={item.due} isShort />}</td>
              <td className={`soft ${styles.wide}`}>{item.at !== '' && <MomentText at={item.at} look="ago" />}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
