import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.js'
import { DialogActions } from '../../ui/dialog.js'
import { ErrorNotice } from '../../ui/notice.js'
import { api } from '../api/client.js'
import { signWithPasskey } from '../api/passkeys.js'
import { useMessages } from '../i18n/messages.js'
import { CodeField } from '../pages/security/code-field.js'
import { PasskeyError } from '../pages/security/passkey-error.js'
import styles from './reauthentication.module.css'

type Props = { method: 'totp' | 'passkey'; onDone(): void; onClose(): void }

/** Authenticates again with a one-time code or a passkey. */
export function FactorProof({ method, onDone, onClose }: Props) {
  const { reauthentication: m, common, security } = useMessages()
  const [code, setCode] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () =>
      api.portal.reauthenticateWithFactor({
        body:
          method === 'totp'
            ? { code }
            : { passkey: await signWithPasskey(await api.portal.startPasskeyReauthentication()) },
      }),
    onSuccess: onDone,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      <p>{method === 'totp' ? m.codeText : m.passkeyText}</p>
      {method === 'totp' && <CodeField label={security.code} value={code} onChange={setCode} />}
      {method === 'passkey' ? <PasskeyError error={error} /> : error && <ErrorNotice error={error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {common.cancel}
        </Button>
        <Button type="submit" loading={isPending} disabled={method === 'totp' && code.length !== 6}>
          {m.confirm}
        </Button>
      </DialogActions>
    </form>
  )
}
