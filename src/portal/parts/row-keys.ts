import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, type MouseEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** From row to row by arrow keys, and to the row where somebody was when they come back. */

// By the entry of the browser's history, and the table.
const lastRows = new Map<string, string>()

type Rows = { body: RefObject<HTMLElement | null>; keys: string[]; name: string; rowHeight: number }

export function useActiveRow({ body, keys, name, rowHeight }: Rows) {
  const { history } = useRouter()
  const place = useRef(`${history.location.state.__TSR_key ?? history.location.href} ${name}`)
  const [key, setKey] = useState(() => lastRows.get(place.current))
  const wanted = useRef<number>(undefined)
  const active = Math.max(0, key === undefined ? 0 : keys.indexOf(key))

  const focusWanted = useCallback(() => {
    if (wanted.current === undefined) return
    const link = body.current?.querySelector<HTMLElement>(`[data-row="${wanted.current}"] a`)
    if (!link) return
    wanted.current = undefined
    link.focus({ preventScroll: true })
    link.closest('tr')?.scrollIntoView({ block: 'nearest' })
  }, [body])

  // A row that was far away is there after the next rendering.
  useEffect(focusWanted)

  const goTo = (index: number) => {
    if (index < 0 || index >= keys.length) return
    wanted.current = index
    setKey(keys[index])
    const isFar = Math.abs(index - active) > 15
    if (isFar && body.current) {
      const top = body.current.getBoundingClientRect().top + window.scrollY
      window.scrollTo({ top: top + index * rowHeight - window.innerHeight / 2 })
    }
  }

  return {
    active,
    onFocus(index: number) {
      const focused = keys[index]
      if (focused === undefined) return
      lastRows.set(place.current, focused)
      setKey(focused)
    },
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

/** A click anywhere in a row opens it, as its link would: in this tab, or with a key or the middle button in another. */
export function followRow(event: MouseEvent, router: AnyRouter, href: string): void {
  const target = event.target as Element
  const other = target.closest('a, button, input, label, [role="menuitem"]')
  const isOwnLink = other?.matches('a[tabindex]') && other.getAttribute('href') === href
  if (event.defaultPrevented || (other && !isOwnLink)) return
  // Whoever marks text does not want to leave.
  if (!other && window.getSelection()?.toString()) return
  const isElsewhere = event.button === 1 || event.metaKey || event.ctrlKey || event.shiftKey
  if (isOwnLink && isElsewhere) return
  if (event.button > 1) return
  event.preventDefault()
  if (isElsewhere) window.open(href, '_blank', 'noopener')
  else router.history.push(href)
}
