import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useOfficeMessages } from '../../i18n/messages.js'
import styles from './grid.module.css'

type Props = {
  start: string
  /** Without a value the edit is abandoned. */
  onEnd: (value: string | undefined, move: 'down' | 'right' | 'left' | 'stay') => void
}

/** The field in a cell. Its value stays in the element until the edit ends, so that typing renders nothing. */
export function CellEditor({ start, onEnd }: Props) {
  const { grid: m } = useOfficeMessages()
  const input = useRef<HTMLInputElement>(null)
  const hasEnded = useRef(false)
  useEffect(() => {
    input.current?.focus()
    input.current?.setSelectionRange(start.length, start.length)
  }, [start])

  const end = (value: string | undefined, move: Parameters<Props['onEnd']>[1]) => {
    if (hasEnded.current) return
    hasEnded.current = true
    onEnd(value, move)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // Keys that edit the text are not those of the grid.
    event.stopPropagation()
    const { value } = event.currentTarget
    if (event.key === 'Enter') end(value, 'down')
    else if (event.key === 'Tab') end(value, event.shiftKey ? 'left' : 'right')
    else if (event.key === 'Escape') end(undefined, 'stay')
    else return
    event.preventDefault()
  }
  return (
    <input
      ref={input}
      className={styles.editor}
      aria-label={m.value}
      defaultValue={start}
      maxLength={1000}
      onKeyDown={onKeyDown}
      onCopy={(event) => event.stopPropagation()}
      onCut={(event) => event.stopPropagation()}
      onPaste={(event) => event.stopPropagation()}
      onBlur={(event) => end(event.currentTarget.value, 'stay')}
    />
  )
}
