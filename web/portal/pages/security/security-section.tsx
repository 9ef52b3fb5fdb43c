import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FactorAdded, Passkey } from '../../../../src/contract/portal/factors.js'
import { StatusBadge } from '../../../ui/badges.js'
import { Button } from '../../../ui/button.js'
import { useMoments } from '../../../ui/moment-text.js'
import { Notice, useNotice } from '../../../ui/notice.js'
import { Section } from '../../../ui/section.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { hasPasskeys } from '../../api/passkeys.js'
import { factorsQuery } from '../../api/queries.js'
import { useMessages } from '../../i18n/messages.js'
import { type FactorAction, FactorDialog } from './factor-dialogs.js'
import styles from './security.module.css'

/** The second factors of the signed-in person. */
export function SecuritySection() {
  const m = useMessages().security
  const client = useQueryClient()
  const { data: factors, error, refetch } = useQuery(factorsQuery())
  const [action, setAction] = useState<FactorAction>()
  const [notice, notify] = useNotice()
  const isOn = factors && (factors.totp !== undefined || factors.passkeys.length > 0)

  const done = async (text: string) => {
    await client.invalidateQueries({ queryKey: factorsQuery().queryKey })
    setAction(undefined)
    notify(text)
  }
  const added = (text: string) => async (result: FactorAdded) => {
    client.setQueryData(factorsQuery().queryKey, result.factors)
    if (result.recovery_codes) setAction({ what: 'codes', codes: result.recovery_codes })
    else setAction(undefined)
    notify(text)
  }

  return (
    <Section
      title={m.title}
      aside={
        factors && (
          <StatusBadge tone={isOn ? 'done' : 'planned'} mark={isOn ? 'full' : 'hollow'}>
            {isOn ? m.on : m.off}
          </StatusBadge>
        )
      }
    >
      <div className={styles.form}>
        <p className="soft">{factors?.required ? m.textRequired : m.text}</p>
        {notice}
        {!factors && (error ? <ErrorState error={error} retry={() => void refetch()} /> : <Lines count={4} />)}
        {factors && (
          <div className={styles.factors}>
            <div className={styles.factor}>
              <div>
                <p className="strong">{m.totp}</p>
                <p className="small soft">{factors.totp ? m.totpSet : m.totpText}</p>
              </div>
              {factors.totp ? (
                <Button size="xs" variant="subtle" color="red" onClick={() => setAction({ what: 'remove totp' })}>
                  {m.totpRemove}
                </Button>
              ) : (
                <Button size="xs" variant="default" onClick={() => setAction({ what: 'add totp' })}>
                  {m.totpAdd}
                </Button>
              )}
            </div>
            <div className={styles.factor}>
              <div>
                <p className="strong">{m.passkeys}</p>
                <p className="small soft">{hasPasskeys() ? m.passkeysText : m.passkeysUnavailable}</p>
              </div>
              {hasPasskeys() && (
                <Button size="xs" variant="default" onClick={() => setAction({ what: 'add passkey' })}>
                  {m.passkeyAdd}
                </Button>
              )}
            </div>
            {factors.passkeys.map((passkey) => (
              <PasskeyRow key={passkey.passkey_id} passkey={passkey} onAction={setAction} />
            ))}
            {(isOn || factors.recovery_codes > 0) && (
              <div className={styles.factor}>
                <div>
                  <p className="strong">{m.codes}</p>
                  <p className="small soft">{m.codesLeft(factors.recovery_codes)}</p>
                </div>
                {isOn && (
                  <Button size="xs" variant="default" onClick={() => setAction({ what: 'renew codes' })}>
                    {m.codesRenew}
                  </Button>
                )}
              </div>
            )}
            {isOn && factors.recovery_codes < 3 && <Notice tone="late">{m.codesFew}</Notice>}
          </div>
        )}
      </div>
      {action && (
        <FactorDialog
          action={action}
          onAction={setAction}
          onClose={() => setAction(undefined)}
          done={done}
          onTotpAdded={(result) => void added(m.totpAdded)(result)}
          onPasskeyAdded={(result) => void added(m.passkeyAdded)(result)}
        />
      )}
    </Section>
  )
}

function PasskeyRow({ passkey, onAction }: { passkey: Passkey; onAction(action: FactorAction): void }) {
  const m = useMessages().security
  const { ago } = useMoments()
  const { name, created_at, last_used_at } = passkey
  return (
    <div className={styles.factor} data-part>
      <div>
        <p className="clipped">{name}</p>
        <p className="small soft">
          {last_used_at === undefined ? m.passkeyCreated(ago(created_at)) : m.passkeyUsed(ago(last_used_at))}
        </p>
      </div>
      <div className={styles.buttons}>
        <Button
          size="xs"
          variant="subtle"
          aria-label={m.passkeyRenameNamed(name)}
          onClick={() => onAction({ what: 'rename passkey', passkey })}
        >
          {m.passkeyRename}
        </Button>
        <Button
          size="xs"
          variant="subtle"
          color="red"
          aria-label={m.passkeyRemoveNamed(name)}
          onClick={() => onAction({ what: 'remove passkey', passkey })}
        >
          {m.passkeyRemove}
        </Button>
      </div>
    </div>
  )
}
