import { IconPlugConnectedX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { announce } from '../../ui/announce.js'
import { useConnection } from '../api/connection.js'
import { useMessages } from '../i18n/messages.js'
import styles from './layout.module.css'

// A restarting server is back within this time.
const delay = 2000

/** Reports a lost connection, and announces when it is back. */
export function ConnectionNotice() {
  const { common } = useMessages()
  const isOnline = useConnection()
  const [isShown, setShown] = useState(false)

  useEffect(() => {
    if (isOnline) {
      if (isShown) announce(common.connectionBack)
      setShown(false)
      return
    }
    const timer = setTimeout(() => setShown(true), delay)
    return () => clearTimeout(timer)
  }, [isOnline, isShown, common])

  if (!isShown) return null
  return (
    <p className={styles.notice} role="alert">
      <IconPlugConnectedX size={18} stroke={1.7} aria-hidden="true" />
      {common.connectionLost}
    </p>
  )
}
