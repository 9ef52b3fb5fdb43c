import { IconPlugConnectedX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { announce } from '../../ui/announce.js'
import { Button } from '../../ui/button.js'
import { useConnection, useOfflineState } from '../api/connection.js'
import { useMessages } from '../i18n/messages.js'
import styles from './layout.module.css'

// A restarting server is back within this time.
const delay = 2000

/** Reports a lost connection, and announces when it is back. */
export function ConnectionNotice() {
  const { common } = useMessages()
  const isOnline = useConnection()
  const [isShown, setShown] = useState(false)
  const isReported = useOfflineState()
  const client = useQueryClient()

  useEffect(() => {
    if (isOnline) {
      if (isShown) announce(common.connectionBack)
      setShown(false)
      return
    }
    const timer = setTimeout(() => setShown(true), delay)
    return () => clearTimeout(timer)
  }, [isOnline, isShown, common])

  // A page that could not be loaded says so itself.
  if (!isShown || isReported) return null
  return (
    <div className={styles.notice} role="alert">
      <IconPlugConnectedX size={18} stroke={1.7} aria-hidden="true" />
      {common.connectionLost}
      <Button size="xs" variant="default" onClick={() => void client.invalidateQueries()}>
        {common.retry}
      </Button>
    </div>
  )
}
