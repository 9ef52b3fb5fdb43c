import { IconChevronDown } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useFormat } from '../i18n/format.js'
import { useMessages } from '../i18n/messages.js'
import { Drop } from './drop.js'
import styles from './filter-menu.module.css'

export type FilterOption = { value: string; label: string; count?: number }

type Common = {
  label: string
  options: FilterOption[]
  /** Told when it opens, and what is typed then: what it offers may be asked for only now. */
  onSearch?: (words: string) => void
  /** What was typed is looked for by the service: the options are what was found, and whether there are more. */
  isSearched?: boolean
  hasMore?: boolean
  isLoading?: boolean
}
type One = { multiple?: false; value: string | undefined; onChange: (value: string | undefined) => void }
type Several = { multiple: true; value: string[]; onChange: (value: string[]) => void }
type Props = Common & (One | Several)

// From here on, somebody would rather type than look.
const many = 10
const pause = 150

/** A filter: its button says what it is set to; what it offers can be searched, and it is cleared where it is set. */
export function FilterMenu(props: Props) {
  const { label, options } = props
  const chosen = props.multiple ? props.value : props.value === undefined ? [] : [props.value]
  const names = chosen.map((value) => options.find((option) => option.value === value)?.label ?? value)
  const shown = names.length > 2 ? `${names[0]} +${names.length - 1}` : names.join(', ')
  return (
    <Drop
      label={label}
      className={styles.drop}
      trigger={(trigger) => (
        <button type="button" className={styles.button} data-set={chosen.length > 0} {...trigger}>
          <span>
            {label}
            {shown && ': '}
          </span>
          {shown && <span className="clipped strong">{shown}</span>}
          <IconChevronDown size={14} aria-hidden="true" />
        </button>
      )}
    >
      {(close) => <Choice {...props} chosen={chosen} close={close} />}
    </Drop>
  )
}

function Choice(props: Props & { chosen: string[]; close: () => void }) {
  const { label, options, chosen, close, onSearch, isSearched = false, hasMore = false, isLoading = false } = props
  const m = useMessages()
  const format = useFormat()
  const group = useId()
  const [words, setWords] = useState('')
  const wanted = words.trim().toLocaleLowerCase(format.locale)
  const found = isSearched
    ? options
    : options.filter((option) => option.label.toLocaleLowerCase(format.locale).includes(wanted))
  useSearching(wanted, onSearch)
  const panel = useFocusWhenThere(options.length > 0)

  const choose = (value: string, isChosen: boolean) => {
    if (!props.multiple) props.onChange(value)
    else props.onChange(isChosen ? [...props.value, value] : props.value.filter((each) => each !== value))
  }
  const clear = () => {
    if (props.multiple) props.onChange([])
    else props.onChange(undefined)
    close()
  }

  return (
    <div ref={panel} onKeyDown={goThrough} role="presentation">
      {(options.length > many || hasMore || words !== '') && (
        <input
          type="search"
          className={styles.search}
          aria-label={m.nav.search}
          placeholder={m.nav.search}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
      )}
      <div className={styles.options} role="group" aria-label={label}>
        {found.map((option) => (
          <label key={option.value} className={styles.option}>
            <input
              type={props.multiple ? 'checkbox' : 'radio'}
              name={group}
              checked={chosen.includes(option.value)}
              onChange={(event) => choose(option.value, event.currentTarget.checked)}
              // By the mouse it is done; with arrow keys one goes on choosing.
              onClick={(event) => !props.multiple && event.detail > 0 && close()}
            />
            <span className={styles.words}>{option.label}</span>
            {option.count !== undefined && <span className={styles.count}>{format.number(option.count)}</span>}
          </label>
        ))}
      </div>
      {isLoading && found.length === 0 && <p className={styles.note}>{m.common.loading}</p>}
      {!isLoading && found.length === 0 && <p className={styles.note}>{m.common.nothingFound}</p>}
      {found.length > 0 && hasMore && <p className={styles.note}>{m.common.typeToFindMore}</p>}
      {chosen.length > 0 && (
        <button type="button" className={styles.clear} onClick={clear}>
          {m.common.clear}
        </button>
      )}
    </div>
  )
}

/** At once when it opens; then as somebody types, when they pause. */
function useSearching(words: string, onSearch: ((words: string) => void) | undefined): void {
  const [told, setTold] = useState<string>()
  useEffect(() => {
    if (!onSearch || words === told) return
    const tell = () => {
      setTold(words)
      onSearch(words)
    }
    const timer = setTimeout(tell, told === undefined ? 0 : pause)
    return () => clearTimeout(timer)
  }, [words, told, onSearch])
}

/** What opens takes the focus; where there was nothing yet that could have it, as soon as there is. */
function useFocusWhenThere(isThere: boolean) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isThere && !panel.current?.contains(document.activeElement)) panel.current?.querySelector('input')?.focus()
  }, [isThere])
  return panel
}

/** Arrow keys go through checkboxes as they do through radio buttons; enter is done. */
function goThrough(event: KeyboardEvent<HTMLDivElement>): void {
  const target = event.target as HTMLInputElement
  if (event.key === 'Enter' && target.type !== 'submit' && target.matches('input')) {
    event.preventDefault()
    event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
  }
  const isStep = event.key === 'ArrowDown' || event.key === 'ArrowUp'
  if (!isStep || target.type === 'radio') return
  const fields = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button')]
  const next = fields[fields.indexOf(target) + (event.key === 'ArrowDown' ? 1 : -1)]
  event.preventDefault()
  next?.focus()
}
