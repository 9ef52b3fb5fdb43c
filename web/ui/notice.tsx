import { IconAlertTriangle, IconCheck, IconClock, IconHistory, IconLock, IconX } from '@tabler/icons-react'
import { type ReactNode, useCallback, useState } from 'react'
import { useMessages } from '../portal/i18n/messages.js'
import { announce } from './announce.js'
import { IconButton } from './button.js'
import styles from './notice.module.css'
import { explain } from './states.js'

const icons = {
  done: IconCheck,
  late: IconClock,
  warning: IconAlertTriangle,
  problem: IconAlertTriangle,
  planned: IconHistory,
  locked: IconLock,
  quiet: IconLock,
}

type Props = {
  /** An icon goes with each colour. */
  tone: keyof typeof icons
  title?: ReactNode
  children?: ReactNode
  role?: 'status' | 'alert'
  onClose?: (() => void) | undefined
}

/** A message inside a page or a form. */
export function Notice({ tone, title, children, role, onClose }: Props) {
  const { common } = useMessages()
  const Icon = icons[tone]
  return (
    <div className={styles.notice} data-tone={tone} role={role}>
      <Icon size={18} aria-hidden="true" />
      <div className={styles.content}>
        {title !== undefined && <p className="strong">{title}</p>}
        {children !== undefined && <p className={styles.text}>{children}</p>}
      </div>
      {onClose && (
        <IconButton className={styles.close} aria-label={common.close} onClick={onClose}>
          <IconX size={16} aria-hidden="true" />
        </IconButton>
      )}
    </div>
  )
}

/** Why a request failed and what to do; `text` replaces both. */
export function ErrorNotice({ error, text }: { error: unknown; text?: string | undefined }) {
  const { what, remedy } = explain(error, useMessages())
  return (
    <Notice tone="problem" role="alert" {...(text === undefined && { title: what })}>
      {text ?? remedy}
    </Notice>
  )
}

/** The result of the last action, until it is closed. Screen readers get it, too. */
export function useNotice(): [notice: ReactNode, notify: (text: string) => void] {
  const [text, setText] = useState<string>()
  const notify = useCallback((message: string) => {
    setText(message)
    announce(message)
  }, [])
  const notice = text !== undefined && (
    <Notice tone="done" onClose={() => setText(undefined)}>
      {text}
    </Notice>
  )
  return [notice, notify]
}
