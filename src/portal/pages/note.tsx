import { CloseButton } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconHistory, IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useMessages } from '../i18n/messages.js'
import styles from './note.module.css'

const icons = {
  done: IconCheck,
  late: IconAlertTriangle,
  problem: IconAlertTriangle,
  planned: IconHistory,
  locked: IconLock,
  quiet: IconLock,
}

type Props = {
  /** What it means; a shape goes with its colour. */
  tone: keyof typeof icons
  title?: ReactNode
  children?: ReactNode
  role?: 'status' | 'alert'
  onClose?: () => void
}

/** Something to know before going on, where it matters. */
export function Note({ tone, title, children, role, onClose }: Props) {
  const { common } = useMessages()
  const Icon = icons[tone]
  return (
    <div className={styles.note} data-tone={tone} role={role}>
      <Icon size={18} aria-hidden="true" />
      <div className={styles.words}>
        {title !== undefined && <p className="strong">{title}</p>}
        {children !== undefined && <p className={styles.text}>{children}</p>}
      </div>
      {onClose && <CloseButton size="sm" aria-label={common.close} onClick={onClose} />}
    </div>
  )
}
