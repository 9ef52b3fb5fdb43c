import { type ReactNode, useLayoutEffect, useRef } from 'react'

type Props = {
  label?: string
  labelledBy?: string
  className: string | undefined
  /** Keeps a click on the backdrop from closing it: what was typed or is shown once would be lost. */
  isPersistent?: boolean
  onClose: () => void
  children: (close: () => void) => ReactNode
}

/** The browser's modal dialog, open for as long as it is rendered: it keeps the focus inside, and gives it back. */
export function Modal({ label, labelledBy, className, isPersistent = false, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const pressed = useRef<EventTarget>(null)
  const close = () => dialog.current?.close()

  // Before the element is removed: closing it is what gives the focus back.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    element?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => element?.close()
  }, [])

  return (
    <dialog
      ref={dialog}
      className={className}
      aria-label={label}
      aria-labelledby={labelledBy}
      onClose={onClose}
      // Both ends of the click: selecting text may begin inside and end on the backdrop.
      onPointerDown={(event) => {
        pressed.current = event.target
      }}
      onClick={({ target, currentTarget }) => {
        if (!isPersistent && target === currentTarget && pressed.current === currentTarget) close()
      }}
    >
      {children(close)}
    </dialog>
  )
}
