import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useFormat } from '../portal/i18n/format.js'
import { useMessages } from '../portal/i18n/messages.js'
import styles from './options.module.css'

export type Option = { value: string; label: string; count?: number }

export type OptionsProps = {
  label: string
  options: Option[]
  /** Called when the list opens and whenever the search text changes, so that options can be fetched on demand. */
  onSearch?: (text: string) => void
  /** The options are already the results of the search; `hasMore` says that there are others. */
  isSearchedRemotely?: boolean
  hasMore?: boolean
  isLoading?: boolean
}

type Selection = {
  isMultiple: boolean
  selected: string[]
  onSelect: (value: string, isSelected: boolean) => void
  onClear?: (() => void) | undefined
  close: () => void
}

// Longer lists get a search field.
const searchableFrom = 10
const debounce = 150

/** The content of a popover: radio buttons or checkboxes, searchable where there are many. */
export function Options(props: OptionsProps & Selection) {
  const { label, options, onSearch, isSearchedRemotely = false, hasMore = false, isLoading = false } = props
  const { isMultiple, selected, onSelect, onClear, close } = props
  const m = useMessages()
  const format = useFormat()
  const group = useId()
  const [text, setText] = useState('')
  const query = text.trim().toLocaleLowerCase(format.locale)
  const found = isSearchedRemotely
    ? options
    : options.filter((option) => option.label.toLocaleLowerCase(format.locale).includes(query))
  useSearch(query, onSearch)
  const panel = useFocusWhenLoaded(options.length > 0)

  return (
    <div ref={panel} onKeyDown={moveFocus} role="presentation">
      {(options.length > searchableFrom || hasMore || text !== '') && (
        <input
          type="search"
          className={styles.search}
          aria-label={m.nav.search}
          placeholder={m.nav.search}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <div className={styles.options} role="group" aria-label={label}>
        {found.map((option) => (
          <label key={option.value} className={styles.option}>
            <input
              type={isMultiple ? 'checkbox' : 'radio'}
              name={group}
              checked={selected.includes(option.value)}
              onChange={(event) => onSelect(option.value, event.currentTarget.checked)}
              // A click selects and closes; arrow keys move the selection and leave the list open.
              onClick={(event) => !isMultiple && event.detail > 0 && close()}
            />
            <span className={styles.text}>{option.label}</span>
            {option.count !== undefined && <span className={styles.count}>{format.number(option.count)}</span>}
          </label>
        ))}
      </div>
      {isLoading && found.length === 0 && <p className={styles.note}>{m.common.loading}</p>}
      {!isLoading && found.length === 0 && <p className={styles.note}>{m.common.nothingFound}</p>}
      {found.length > 0 && hasMore && <p className={styles.note}>{m.common.typeToFindMore}</p>}
      {onClear && selected.length > 0 && (
        <button
          type="button"
          className={styles.clear}
          onClick={() => {
            onClear()
            close()
          }}
        >
          {m.common.clear}
        </button>
      )}
    </div>
  )
}

/** Searches immediately when the list opens, then debounced. */
function useSearch(query: string, onSearch: ((text: string) => void) | undefined): void {
  const [searched, setSearched] = useState<string>()
  useEffect(() => {
    if (!onSearch || query === searched) return
    const search = () => {
      setSearched(query)
      onSearch(query)
    }
    const timer = setTimeout(search, searched === undefined ? 0 : debounce)
    return () => clearTimeout(timer)
  }, [query, searched, onSearch])
}

/** Options that load after the popover opened get the focus then. */
function useFocusWhenLoaded(isLoaded: boolean) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isLoaded && !panel.current?.contains(document.activeElement)) panel.current?.querySelector('input')?.focus()
  }, [isLoaded])
  return panel
}

/** Arrow keys move through checkboxes as they do through radio buttons; Enter closes. */
function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const target = event.target as HTMLInputElement
  if (event.key === 'Enter' && target.type !== 'submit' && target.matches('input')) {
    event.preventDefault()
    event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
  }
  const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp'
  if (!isArrow || target.type === 'radio') return
  const fields = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button')]
  const next = fields[fields.indexOf(target) + (event.key === 'ArrowDown' ? 1 : -1)]
  event.preventDefault()
  next?.focus()
}
