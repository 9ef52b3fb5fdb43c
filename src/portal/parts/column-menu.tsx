import { IconColumns3 } from '@tabler/icons-react'
import { useMessages } from '../i18n/messages.js'
import { type Choice, isWanted } from './chosen-columns.js'
import styles from './data-table.module.css'
import { Drop } from './drop.js'
import choice from './filter-menu.module.css'

type Props = {
  columns: { id: string; header: string; always?: boolean }[]
  choice: Choice
  shown: Set<string>
  onChoose: (choice: Choice) => void
}

/** Which columns are shown; and which are not because there is no room. */
export function ColumnMenu({ columns, choice: chosen, shown, onChoose }: Props) {
  const { common } = useMessages()
  return (
    <Drop
      label={common.columns}
      align="end"
      className={choice.drop}
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
                <span className={choice.words}>{column.header}</span>
                {isWanted(column, chosen) && !shown.has(column.id) && (
                  <span className={choice.count}>{common.noRoomForColumn}</span>
                )}
              </label>
            ))}
        </div>
      )}
    </Drop>
  )
}
