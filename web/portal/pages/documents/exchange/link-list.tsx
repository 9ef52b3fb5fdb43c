import type { UseMutationResult } from '@tanstack/react-query'
import { Button } from '../../../../ui/button.js'
import { systemTime } from '../../../../ui/clock.js'
import { ErrorNotice } from '../../../../ui/notice.js'
import { useMessages } from '../../../i18n/messages.js'
import styles from './exchange.module.css'

type Props = {
  label: string
  links: { link_id: string; name: string; facts: string }[]
  revoke: Pick<UseMutationResult<unknown, Error, string>, 'error' | 'isPending' | 'variables' | 'mutate'>
}

/** Links that were passed on and work, each with a button to revoke it. */
export function LinkList({ label, links, revoke }: Props) {
  const { proposals: m } = useMessages()
  if (links.length === 0) return null
  return (
    <>
      {revoke.error && <ErrorNotice error={revoke.error} />}
      <ul className={styles.list} aria-label={label}>
        {links.map(({ link_id, name, facts }) => (
          <li key={link_id}>
            <span className={styles.grow}>
              {name}
              <span className="small soft" style={{ display: 'block' }}>
                {facts}
              </span>
            </span>
            <Button
              size="xs"
              variant="default"
              loading={revoke.isPending && revoke.variables === link_id}
              onClick={() => revoke.mutate(link_id)}
            >
              {m.revoke}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

export function isWorking({ revoked_at, expires_at }: { revoked_at?: string; expires_at: string }): boolean {
  return revoked_at === undefined && Date.parse(expires_at) > systemTime()
}
