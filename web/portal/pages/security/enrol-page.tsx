import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import type { FactorAdded } from '../../../../src/contract/portal/factors.js'
import { useAddressQuery } from '../../../ui/address-query.js'
import { Button, TextButton } from '../../../ui/button.js'
import { api } from '../../api/client.js'
import { hasPasskeys } from '../../api/passkeys.js'
import { changeSession, useSession } from '../../api/session.js'
import { useMessages } from '../../i18n/messages.js'
import { Reauthentication } from '../../layout/reauthentication.js'
import { useSignOut } from '../../layout/sign-out.js'
import { Frame } from '../sign-in/frame.js'
import { ownAddress } from '../sign-in/start-session.js'
import { PasskeySetup } from './passkey-setup.js'
import { RecoveryCodes } from './recovery-codes.js'
import styles from './security.module.css'
import { TotpSetup } from './totp-setup.js'

const readSearch = ({ to }: Record<string, string>) => ({ to })

/** For somebody who must set up a second factor before anything else. */
export function EnrolPage() {
  const { security: m, nav } = useMessages()
  const { account } = useSession()
  const client = useQueryClient()
  const router = useRouter()
  const signOut = useSignOut()
  const [{ to }] = useAddressQuery(readSearch)
  const [step, setStep] = useState<'choice' | 'totp' | 'passkey'>('choice')
  const [codes, setCodes] = useState<string[]>()
  const leave = async () => {
    changeSession(client, await api.portal.getSession())
    await router.navigate({ href: ownAddress(to), replace: true })
  }
  const added = ({ recovery_codes }: FactorAdded) => (recovery_codes ? setCodes(recovery_codes) : void leave())
  const back = () => setStep('choice')

  return (
    <Frame title={codes ? m.codes : m.enrolTitle} lead={codes ? undefined : m.enrolText(account.name)}>
      {codes ? (
        <RecoveryCodes codes={codes} done={m.enrolDone} onDone={() => void leave()} />
      ) : step === 'totp' ? (
        <TotpSetup onAdded={added} onCancel={back} />
      ) : step === 'passkey' ? (
        <PasskeySetup onAdded={added} onCancel={back} />
      ) : (
        <div className={styles.choices}>
          {hasPasskeys() && (
            <Button size="md" fullWidth onClick={() => setStep('passkey')}>
              {m.passkeyAdd}
            </Button>
          )}
          <Button size="md" variant={hasPasskeys() ? 'default' : 'filled'} fullWidth onClick={() => setStep('totp')}>
            {m.totpAdd}
          </Button>
          <p className="small">
            <TextButton onClick={signOut}>{nav.signOut}</TextButton>
          </p>
        </div>
      )}
      <Reauthentication />
    </Frame>
  )
}
