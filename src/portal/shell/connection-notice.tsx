import { IconPlugConnectedX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useConnection } from '../api/connection.js'
import { useMessages } from '../i18n/messages.js'
import { announce } from '../parts/announce.js'
import styles from './shell.module.css'

// A server that starts anew is back before anybody has to be told.
const patience = 2000

/** Tells that the service is away, and that it is back. */
export function ConnectionNotice() {
  const { common } = useMessages()
  const isThere = useConnection()
  const [isTold, setTold] = useState(false)

  useEffect(() => {
    if (isThere) {
      if (isTold) announce(common.connectionBack)
      setTold(false)
      return
    }
    const timer = setTimeout(() => setTold(true), patience)
    return () => clearTimeout(timer)
  }, [isThere, isTold, common])

  if (!isTold) return null
  return (
    <p className={styles.notice} role="alert">
      <IconPlugConnectedX size={18} stroke={1.7} aria-hidden="true" />
      {common.connectionLost}
    </p>
  )
}
