import { useEffect, useRef } from 'react'
import { isTyping } from '../../ui/palette-keys.js'

type Actions = Record<string, (() => void) | undefined>

/** Actions by key, outside of fields, menus and dialogs. */
export function useKeys(actions: Actions): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (isTyping(event.target) || document.querySelector('dialog[open], [popover]:popover-open')) return
      const act = latest.current[event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
