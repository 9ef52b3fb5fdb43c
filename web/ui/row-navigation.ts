import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, type MouseEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** Arrow keys between the rows of a table; going back in the history returns to the row that was left. */

// Keys of rows, by history entry and table.
const lastRows = new Map<string, string>()

type Rows = { body: RefObject<HTMLElement | null>; keys: string[]; name: string; scrollToRow: (index: number) => void }

export function useActiveRow({ body, keys, name, scrollToRow }: Rows) {
  const { history } = useRouter()
  const entry = useRef(`${history.location.state.__TSR_key ?? history.location.href} ${name}`)
  const [key, setKey] = useState(() => lastRows.get(entry.current))
  const pending = useRef<number>(undefined)
  const active = Math.max(0, key === undefined ? 0 : keys.indexOf(key))

  // A row that was not rendered is there after a later rendering.
  useEffect(() => {
    if (pending.current === undefined) return
    const link = body.current?.querySelector<HTMLElement>(`[data-row="${pending.current}"] a`)
    if (!link) return
    pending.current = undefined
    link.focus({ preventScroll: true })
  })

  const goTo = (index: number) => {
    if (index < 0 || index >= keys.length) return
    pending.current = index
    setKey(keys[index])
    scrollToRow(index)
  }

  const onFocus = useCallback(
    (index: number) => {
      const focused = keys[index]
      if (focused === undefined) return
      lastRows.set(entry.current, focused)
      setKey(focused)
    },
    [keys],
  )

  return {
    active,
    onFocus,
    onKeyDown(event: KeyboardEvent) {
      const target = {
        ArrowDown: active + 1,
        ArrowUp: active - 1,
        Home: 0,
        End: keys.length - 1,
        PageDown: Math.min(keys.length - 1, active + 10),
        PageUp: Math.max(0, active - 10),
      }[event.key]
      if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      goTo(target)
    },
  }
}

/** A click anywhere in a row follows its link: here, or with a modifier or the middle button in a new tab. */
export function followRow(event: MouseEvent, router: AnyRouter, href: string): void {
  const target = event.target as Element
  const other = target.closest('a, button, input, label, [role="menuitem"]')
  const isRowLink = other?.matches('a[tabindex]') && other.getAttribute('href') === href
  if (event.defaultPrevented || (other && !isRowLink)) return
  // The end of a text selection is a click, too.
  if (!other && window.getSelection()?.toString()) return
  const isNewTab = event.button === 1 || event.metaKey || event.ctrlKey || event.shiftKey
  if (isRowLink && isNewTab) return
  if (event.button > 1) return
  event.preventDefault()
  if (isNewTab) window.open(href, '_blank', 'noopener')
  else router.history.push(href)
}
