import { IconCheck, IconX } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import { useMessages } from '../i18n/messages.js'
import { announce } from './announce.js'
import { IconButton } from './button.js'
import styles from './notice.module.css'

/** What was done last, until somebody has read it; told to screen readers too. */
export function useNotice(): [notice: React.ReactNode, tell: (text: string) => void] {
  const { common } = useMessages()
  const [text, setText] = useState<string>()
  const tell = useCallback((told: string) => {
    setText(told)
    announce(told)
  }, [])
  const notice = text !== undefined && (
    <div className={styles.notice}>
      <IconCheck size={18} aria-hidden="true" />
      <p>{text}</p>
      <IconButton aria-label={common.close} onClick={() => setText(undefined)}>
        <IconX size={16} aria-hidden="true" />
      </IconButton>
    </div>
  )
  return [notice, tell]
}
