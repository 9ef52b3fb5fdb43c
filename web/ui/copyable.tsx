import { IconCheck, IconCopy } from '@tabler/icons-react'
import { createContext, useContext, useEffect, useState } from 'react'
import { useMessages } from '../portal/i18n/messages.js'
import { announce } from './announce.js'
import styles from './copyable.module.css'

/** Whether controls inside are tab stops: in a table only those of the active row. */
export const TabStopContext = createContext(true)

type Props = {
  text: string
  /** Shown instead of the text. */
  children?: React.ReactNode
  className?: string
}

/** A number that is copied by a click. */
export function Copyable({ text, children, className = '' }: Props) {
  const { common } = useMessages()
  const isTabStop = useContext(TabStopContext)
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()

  useEffect(() => {
    if (outcome === undefined) return
    const timer = setTimeout(() => setOutcome(undefined), 1500)
    return () => clearTimeout(timer)
  }, [outcome])

  const report = (what: 'copied' | 'failed') => {
    setOutcome(what)
    announce(what === 'copied' ? common.copied : common.copyFailed)
  }
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => report('copied'),
      () => report('failed'),
    )
  }

  return (
    <button
      type="button"
      className={`${styles.copyable} ${className}`}
      tabIndex={isTabStop ? 0 : -1}
      title={outcome === 'failed' ? common.copyFailed : common.copy(text)}
      onClick={(event) => {
        event.stopPropagation()
        copy()
      }}
    >
      <span className="mono clipped">{children ?? text}</span>
      <span className={styles.icon} aria-hidden="true" data-shown={outcome !== undefined}>
        {outcome === 'copied' ? <IconCheck size={14} /> : <IconCopy size={14} />}
      </span>
    </button>
  )
}
