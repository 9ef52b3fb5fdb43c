import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { SecondFactor as Given, SecondFactorMethod } from '../../../../src/contract/portal/factors.js'
import { Button, TextButton } from '../../../ui/button.js'
import { Field } from '../../../ui/field.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { api } from '../../api/client.js'
import { hasPasskeys, signWithPasskey } from '../../api/passkeys.js'
import { useMessages } from '../../i18n/messages.js'
import { CodeField } from '../security/code-field.js'
import { PasskeyError } from '../security/passkey-error.js'
import { Frame } from './frame.js'
import { useRetryDelay } from './retry-delay.js'
import styles from './sign-in.module.css'
import { useStartSession } from './start-session.js'

type Props = { to?: string | undefined; onCancel(): void }

/** The second step of a sign-in: a one-time code, a passkey or a recovery code. */
export function SecondFactor({ to, onCancel }: Props) {
  const { signIn: m } = useMessages()
  const pending = useQuery({
    queryKey: ['pending sign-in'],
    queryFn: ({ signal }) => api.portal.getPendingSignIn({ signal }),
    gcTime: 0,
  })
  const [chosen, setChosen] = useState<SecondFactorMethod>()
  const methods = (pending.data?.methods ?? []).filter((method) => method !== 'passkey' || hasPasskeys())
  const method = chosen ?? methods.find((each) => each === 'passkey') ?? methods[0]

  return (
    <Frame title={m.secondTitle} lead={method && m.secondLeads[method]}>
      {pending.error && <ErrorState error={pending.error} retry={onCancel} />}
      {!pending.error && method === undefined && <Lines count={3} />}
      {method && <Proof key={method} method={method} to={to} />}
      <p className="small">
        {methods
          .filter((other) => other !== method)
          .map((other) => (
            <span key={other} className={styles.other}>
              <TextButton onClick={() => setChosen(other)}>{m.secondOthers[other]}</TextButton>
            </span>
          ))}
        <TextButton onClick={onCancel}>{m.backToSignIn}</TextButton>
      </p>
    </Frame>
  )
}

function Proof({ method, to }: { method: SecondFactorMethod; to: string | undefined }) {
  const { signIn: m, security } = useMessages()
  const startSession = useStartSession()
  const [code, setCode] = useState('')
  const complete = useMutation({
    mutationFn: async () => api.portal.completeSignIn({ body: await given() }),
    onSuccess: (session) => startSession(session, to),
  })
  const seconds = useRetryDelay(complete.error)
  const given = async (): Promise<Given> => {
    if (method === 'totp') return { code }
    if (method === 'recovery_code') return { recovery_code: code }
    return { passkey: await signWithPasskey(await api.portal.startSecondFactorPasskey()) }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    complete.mutate()
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {seconds > 0 ? (
        <ErrorNotice error={complete.error} text={m.wait(seconds)} />
      ) : method === 'passkey' ? (
        <PasskeyError error={complete.error} />
      ) : (
        complete.error && <ErrorNotice error={complete.error} />
      )}
      {method === 'totp' && <CodeField label={security.code} value={code} onChange={setCode} size="md" />}
      {method === 'recovery_code' && (
        <Field
          label={security.recoveryCode}
          value={code}
          size="md"
          name="recovery-code"
          autoComplete="off"
          autoCapitalize="none"
          maxLength={24}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
      )}
      <Button
        type="submit"
        size="md"
        loading={complete.isPending}
        disabled={seconds > 0 || (method === 'totp' ? code.length !== 6 : method !== 'passkey' && code.trim() === '')}
        fullWidth
      >
        {method === 'passkey' ? m.passkey : m.submit}
      </Button>
    </form>
  )
}
