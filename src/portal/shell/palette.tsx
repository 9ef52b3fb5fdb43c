import { IconSearch } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useMessages } from '../i18n/messages.js'
import styles from './palette.module.css'
import { type Found, useFound } from './palette-found.js'

/** One search over everything. The first hit is chosen already: type, press enter, be there. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { palette } = useMessages()
  const router = useRouter()
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const { groups, isFresh } = useFound(typed)
  const found = groups.flatMap(({ items }) => items)
  const active = Math.min(chosen, found.length - 1)
  const hasEntered = useRef(false)
  const id = useId()

  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' }), [id, active])

  const go = (item: Found | undefined) => {
    if (!item) return
    dialog.current?.close()
    router.history.push(item.href)
  }

  // Who presses enter before the answer is there means the answer, not what stood there before.
  useEffect(() => {
    if (!isFresh || !hasEntered.current) return
    hasEntered.current = false
    go(found[0])
  })

  const onKeyDown = (event: KeyboardEvent) => {
    const target = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: found.length - 1 }[event.key]
    if (target !== undefined && found.length > 0 && !(typed && (event.key === 'Home' || event.key === 'End'))) {
      event.preventDefault()
      setChosen((target + found.length) % found.length)
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      if (isFresh) go(found[active])
      else hasEntered.current = true
    }
  }

  return (
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label={palette.title}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && dialog.current?.close()}
    >
      <div className={styles.field}>
        <IconSearch size={18} stroke={1.7} aria-hidden="true" />
        <input
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
          aria-autocomplete="list"
          aria-label={palette.title}
          placeholder={palette.placeholder}
          value={typed}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setChosen(0)
            hasEntered.current = false
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
                const index = found.indexOf(item)
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
        {found.length === 0 && (
          <p className={styles.nothing}>{isFresh ? palette.nothing(typed.trim()) : palette.hint}</p>
        )}
      </div>
      <p className="visually-hidden" role="status">
        {isFresh && typed ? palette.results(found.length) : ''}
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
    </dialog>
  )
}
