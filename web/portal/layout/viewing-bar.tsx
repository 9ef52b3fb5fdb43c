import { IconEye } from '@tabler/icons-react'
import { Button } from '../../ui/button.js'
import { MomentText } from '../../ui/moment-text.js'
import { useSession } from '../api/session.js'
import { useMessages } from '../i18n/messages.js'
import styles from './layout.module.css'
import { useSignOut } from './sign-out.js'

/** Says to one of the forwarder's people as whom they see the portal, and ends it. */
export function ViewingBar() {
  const { viewing: m } = useMessages()
  const { viewer, person, account, expires_at } = useSession()
  const end = useSignOut()
  if (viewer === undefined) return null
  return (
    <div className={styles.notice} role="status">
      <IconEye size={18} stroke={1.7} aria-hidden="true" />
      <span>
        {m.bar(person.name, account.name)} {m.until} <MomentText at={expires_at} look="second" />
      </span>
      <Button size="xs" variant="default" onClick={end}>
        {m.end}
      </Button>
    </div>
  )
}
