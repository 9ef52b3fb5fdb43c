import { type ReactNode, type ToggleEvent, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import styles from './popover.module.css'

export type Trigger = { popoverTarget: string; 'aria-expanded': boolean; 'aria-haspopup': 'menu' | 'dialog' }

type Props = {
  /** Renders the button that opens it, with these props. */
  trigger: (props: Trigger) => ReactNode
  /** Accessible name. */
  label: string
  role?: 'menu' | 'dialog'
  align?: 'start' | 'end'
  side?: 'below' | 'above' | 'right'
  className?: string
  onKeyDown?: (event: React.KeyboardEvent<HTMLDivElement>) => void
  /** Selector of the element that is focused when it opens; by default the first focusable one. */
  focus?: string
  children: (close: () => void) => ReactNode
}

const gap = 4

/** The browser's popover below a button: it is in the top layer, closes on Escape and outside clicks, and returns the focus. */
export function Popover({
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

  // Rendered and positioned before it is shown, so that it does not jump.
  const beforeToggle = ({ newState }: ToggleEvent) => {
    if (newState !== 'open') return
    flushSync(() => setOpen(true))
    position(panel.current, id, { align, side })
  }
  const afterToggle = ({ newState }: ToggleEvent) => {
    setOpen(newState === 'open')
    if (newState !== 'open') return
    const first = 'input, button:not(:disabled), a[href], [tabindex]'
    panel.current?.querySelector<HTMLElement>(focus ?? first)?.focus()
  }

  useEffect(() => {
    if (!isOpen) return
    const reposition = () => position(panel.current, id, { align, side })
    window.addEventListener('scroll', reposition, { passive: true, capture: true })
    window.addEventListener('resize', reposition)
    return () => {
      window.removeEventListener('scroll', reposition, { capture: true })
      window.removeEventListener('resize', reposition)
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
        className={`${styles.popover} ${className}`}
        onBeforeToggle={beforeToggle}
        onToggle={afterToggle}
        onKeyDown={onKeyDown}
      >
        {isOpen && children(close)}
      </div>
    </>
  )
}

/** Positions by the edges of the trigger, on the side with more room, so that the panel need not be measured. */
function position(panel: HTMLElement | null, id: string, preferred: Required<Pick<Props, 'align' | 'side'>>): void {
  const opener = document.querySelector(`[popovertarget="${CSS.escape(id)}"]`)
  if (!panel || !opener) return
  const { top, right, bottom, left } = opener.getBoundingClientRect()
  const { clientWidth: width, clientHeight: height } = document.documentElement
  const { style } = panel
  for (const edge of ['top', 'right', 'bottom', 'left'] as const) style[edge] = 'auto'
  if (preferred.side === 'right') {
    style.left = `${right + gap}px`
    style.bottom = `${height - bottom}px`
    style.maxHeight = `${bottom - gap}px`
    return
  }
  const isAbove = preferred.side === 'above' || (height - bottom < 280 && top > height - bottom)
  if (isAbove) style.bottom = `${height - top + gap}px`
  else style.top = `${bottom + gap}px`
  style.maxHeight = `${Math.max(160, (isAbove ? top : height - bottom) - 3 * gap)}px`
  const isAtEnd = preferred.align === 'end' || (left > width / 2 && left + 260 > width)
  if (isAtEnd) style.right = `${Math.max(gap, width - right)}px`
  else style.left = `${Math.max(gap, left)}px`
}
