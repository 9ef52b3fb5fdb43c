import { IconSearch } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useMessages } from '../portal/i18n/messages.js'
import { Modal } from './modal.js'
import styles from './palette-dialog.module.css'

export type Result = {
  key: string
  title: string
  detail?: string | undefined
  href: string
  Icon: typeof IconSearch
}
export type ResultGroup = { name: string; title: string; items: Result[] }

type Props = {
  typed: string
  onType: (text: string) => void
  groups: ResultGroup[]
  /** Whether the results are those of the typed text. */
  isFresh: boolean
  placeholder: string
  onClose: () => void
}

/** One search over records and pages. The first result is preselected. */
export function PaletteDialog({ typed, onType, groups, isFresh, placeholder, onClose }: Props) {
  const { palette } = useMessages()
  const router = useRouter()
  const [chosen, setChosen] = useState(0)
  const results = groups.flatMap(({ items }) => items)
  const active = Math.min(chosen, results.length - 1)
  const isEnterPending = useRef(false)
  const id = useId()

  useEffect(() => document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' }), [id, active])

  const go = (item: Result | undefined) => {
    if (!item) return
    onClose()
    router.history.push(item.href)
  }

  // Enter pressed before the results have loaded opens the first of the new ones, not one of the old.
  useEffect(() => {
    if (!isFresh || !isEnterPending.current) return
    isEnterPending.current = false
    go(results[0])
  })

  const onKeyDown = (event: KeyboardEvent) => {
    const target = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: results.length - 1 }[event.key]
    if (target !== undefined && results.length > 0 && !(typed && (event.key === 'Home' || event.key === 'End'))) {
      event.preventDefault()
      setChosen((target + results.length) % results.length)
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      if (isFresh) go(results[active])
      else isEnterPending.current = true
    }
  }

  return (
    <Modal className={styles.palette} label={palette.title} onClose={onClose}>
      {() => (
        <>
          <div className={styles.field}>
            <IconSearch size={18} stroke={1.7} aria-hidden="true" />
            <input
              data-autofocus
              role="combobox"
              aria-expanded="true"
              aria-controls={`${id}-list`}
              aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
              aria-autocomplete="list"
              aria-label={palette.title}
              placeholder={placeholder}
              value={typed}
              maxLength={200}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => {
                onType(event.currentTarget.value)
                setChosen(0)
                isEnterPending.current = false
              }}
              onKeyDown={onKeyDown}
            />
            <kbd className={styles.key}>Esc</kbd>
          </div>
          <div className={styles.results} data-outdated={!isFresh}>
            <div id={`${id}-list`} role="listbox" aria-label={palette.title}>
              {groups.map((group) => (
                <div key={group.name} role="group" aria-labelledby={`${id}-${group.name}`}>
                  <div id={`${id}-${group.name}`} className={styles.group}>
                    {group.title}
                  </div>
                  {group.items.map((item) => {
                    const index = results.indexOf(item)
                    return (
                      <div
                        key={item.key}
                        id={`${id}-${index}`}
                        role="option"
                        tabIndex={-1}
                        aria-selected={index === active}
                        className={styles.option}
                        onPointerMove={() => setChosen(index)}
                        onClick={() => go(item)}
                        onKeyDown={onKeyDown}
                      >
                        <item.Icon size={18} stroke={1.6} aria-hidden="true" />
                        <span className={`clipped ${styles.name}`}>{item.title}</span>
                        {item.detail && <span className={`clipped soft small ${styles.detail}`}>{item.detail}</span>}
                      </div>
                    )
                  })}
                </div>
              ))}
            </div>
            {results.length === 0 && (
              <p className={styles.nothing}>{isFresh ? palette.nothing(typed.trim()) : palette.hint}</p>
            )}
          </div>
          <p className="visually-hidden" role="status">
            {isFresh && typed ? palette.results(results.length) : ''}
          </p>
          <p className={styles.foot} aria-hidden="true">
            <span>
              <kbd className={styles.key}>↑</kbd> <kbd className={styles.key}>↓</kbd> {palette.move}
            </span>
            <span>
              <kbd className={styles.key}>↵</kbd> {palette.open}
            </span>
            <span>
              <kbd className={styles.key}>Esc</kbd> {palette.closeHint}
            </span>
          </p>
        </>
      )}
    </Modal>
  )
}
