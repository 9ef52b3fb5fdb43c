import { type RefObject, useEffect, useRef } from 'react'

type Acts = { acknowledge(id: string | undefined): void; select(id: string): void }

const typing = 'input:not([type="checkbox"]), textarea, select, [contenteditable], dialog *, [role="menu"] *'

/** `j` and `k` move through a list, `x` selects, `e` acknowledges, and Enter opens, as the focus is on a link. */
export function useExceptionKeys(list: RefObject<HTMLElement | null>, acts: Acts): void {
  const latest = useRef(acts)
  useEffect(() => {
    latest.current = acts
  })
  // Where the focus was: an acknowledged item may be gone.
  const last = useRef(-1)

  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { key, target, altKey, ctrlKey, metaKey } = event
      if (altKey || ctrlKey || metaKey || !'jkex'.includes(key)) return
      if (target instanceof Element && target.matches(typing)) return
      const items = [...(list.current?.querySelectorAll<HTMLElement>('[data-exception]') ?? [])]
      const current = items.findIndex((item) => item.contains(document.activeElement))
      const focus = (index: number) => {
        const next = Math.max(0, Math.min(items.length - 1, index))
        last.current = next
        items[next]?.querySelector<HTMLElement>('a[data-subject]')?.focus()
        items[next]?.scrollIntoView({ block: 'nearest' })
      }
      if (items.length === 0) return
      event.preventDefault()
      const id = items[current]?.dataset.exception
      if (key === 'j') focus(current === -1 ? Math.max(0, last.current) : current + 1)
      else if (key === 'k') focus(current === -1 ? last.current - 1 : current - 1)
      else if (id !== undefined && key === 'x') latest.current.select(id)
      else if (key === 'e') {
        latest.current.acknowledge(id)
        if (id === undefined) return
        // The item may disappear: the next one takes the focus, or else the one before.
        focus(current + 1 < items.length ? current + 1 : current - 1)
        last.current = current
      }
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [list])
}
