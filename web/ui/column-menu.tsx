import { IconColumns3 } from '@tabler/icons-react'
import { useMessages } from '../portal/i18n/messages.js'
import { type Choice, isWanted } from './column-visibility.js'
import styles from './data-table.module.css'
import choice from './options.module.css'
import { Popover } from './popover.js'

type Props = {
  columns: { id: string; header: string; always?: boolean }[]
  choice: Choice
  shown: Set<string>
  onChoose: (choice: Choice) => void
}

/** Chooses the columns, and names those that do not fit. */
export function ColumnMenu({ columns, choice: chosen, shown, onChoose }: Props) {
  const { common } = useMessages()
  return (
    <Popover
      label={common.columns}
      align="end"
      className={choice.popover}
      trigger={(trigger) => (
        <button
          type="button"
          className={styles.columnButton}
          aria-label={common.chooseColumns}
          title={common.chooseColumns}
          {...trigger}
        >
          <IconColumns3 size={16} stroke={1.7} aria-hidden="true" />
        </button>
      )}
    >
      {() => (
        <div className={choice.options}>
          {columns
            .filter(({ always }) => !always)
            .map((column) => (
              <label key={column.id} className={choice.option}>
                <input
                  type="checkbox"
                  checked={isWanted(column, chosen)}
                  onChange={(event) => onChoose({ ...chosen, [column.id]: event.currentTarget.checked })}
                />
                <span className={choice.text}>{column.header}</span>
                {isWanted(column, chosen) && !shown.has(column.id) && (
                  <span className={choice.count}>{common.hiddenColumn}</span>
                )}
              </label>
            ))}
        </div>
      )}
    </Popover>
  )
}
