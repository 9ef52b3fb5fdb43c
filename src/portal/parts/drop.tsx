import { type ReactNode, type ToggleEvent, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import styles from './drop.module.css'

export type Trigger = { popoverTarget: string; 'aria-expanded': boolean; 'aria-haspopup': 'menu' | 'dialog' }

type Props = {
  /** What opens it: a button that is given these. */
  trigger: (props: Trigger) => ReactNode
  /** What it is, for those who do not see it. */
  label: string
  role?: 'menu' | 'dialog'
  align?: 'start' | 'end'
  side?: 'below' | 'above' | 'right'
  className?: string
  onKeyDown?: (event: React.KeyboardEvent<HTMLDivElement>) => void
  /** Which element has the focus when it opens; undefined: the first that can have it. */
  focus?: string
  children: (close: () => void) => ReactNode
}

const gap = 4

/**
 * What opens at a button and closes when somebody turns to something else: the browser's own popover, which lies on top
 * of everything, closes by escape and gives the focus back.
 */
export function Drop({
  trigger,
  label,
  role = 'dialog',
  align = 'start',
  side = 'below',
  className = '',
  onKeyDown,
  focus,
  children,
}: Props) {
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const close = () => panel.current?.hidePopover()

  // Before it is shown, so that it does not jump.
  const prepare = ({ newState }: ToggleEvent) => {
    if (newState !== 'open') return
    flushSync(() => setOpen(true))
    place(panel.current, id, { align, side })
  }
  const settle = ({ newState }: ToggleEvent) => {
    setOpen(newState === 'open')
    if (newState !== 'open') return
    const first = 'input, button:not(:disabled), a[href], [tabindex]'
    panel.current?.querySelector<HTMLElement>(focus ?? first)?.focus()
  }

  useEffect(() => {
    if (!isOpen) return
    const follow = () => place(panel.current, id, { align, side })
    window.addEventListener('scroll', follow, { passive: true, capture: true })
    window.addEventListener('resize', follow)
    return () => {
      window.removeEventListener('scroll', follow, { capture: true })
      window.removeEventListener('resize', follow)
    }
  }, [isOpen, id, align, side])

  return (
    <>
      {trigger({ popoverTarget: id, 'aria-expanded': isOpen, 'aria-haspopup': role })}
      <div
        ref={panel}
        id={id}
        popover="auto"
        role={role}
        aria-label={label}
        className={`${styles.drop} ${className}`}
        onBeforeToggle={prepare}
        onToggle={settle}
        onKeyDown={onKeyDown}
      >
        {isOpen && children(close)}
      </div>
    </>
  )
}

/** By the edges of what opened it, on the side where there is room: its own size need not be known. */
function place(panel: HTMLElement | null, id: string, wanted: Required<Pick<Props, 'align' | 'side'>>): void {
  const opener = document.querySelector(`[popovertarget="${CSS.escape(id)}"]`)
  if (!panel || !opener) return
  const { top, right, bottom, left } = opener.getBoundingClientRect()
  const { clientWidth: width, clientHeight: height } = document.documentElement
  const { style } = panel
  for (const edge of ['top', 'right', 'bottom', 'left'] as const) style[edge] = 'auto'
  if (wanted.side === 'right') {
    style.left = `${right + gap}px`
    style.bottom = `${height - bottom}px`
    style.maxHeight = `${bottom - gap}px`
    return
  }
  const isAbove = wanted.side === 'above' || (height - bottom < 280 && top > height - bottom)
  if (isAbove) style.bottom = `${height - top + gap}px`
  else style.top = `${bottom + gap}px`
  style.maxHeight = `${Math.max(160, (isAbove ? top : height - bottom) - 3 * gap)}px`
  const isAtEnd = wanted.align === 'end' || (left > width / 2 && left + 260 > width)
  if (isAtEnd) style.right = `${Math.max(gap, width - right)}px`
  else style.left = `${Math.max(gap, left)}px`
}
