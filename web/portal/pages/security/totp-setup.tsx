import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { FactorAdded } from '../../../../src/contract/portal/factors.js'
import { Button } from '../../../ui/button.js'
import { Copyable } from '../../../ui/copyable.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { api, refusalCodeOf } from '../../api/client.js'
import { useMessages } from '../../i18n/messages.js'
import { CodeField } from './code-field.js'
import { QrCode } from './qr-code.js'
import styles from './security.module.css'

type Props = { onAdded(added: FactorAdded): void; onCancel(): void }

/** Shows the secret for an authenticator app, and confirms it with the first code. */
export function TotpSetup({ onAdded, onCancel }: Props) {
  const { security: m, common, problems } = useMessages()
  // Every opening creates a new secret; nothing keeps it.
  const {
    data: totp,
    error,
    refetch,
  } = useQuery({
    queryKey: ['new totp'],
    queryFn: () => api.portal.startTotp(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const [code, setCode] = useState('')
  const confirm = useMutation({
    mutationFn: () => api.portal.confirmTotp({ body: { code } }),
    onSuccess: onAdded,
  })
  const isWrong = refusalCodeOf(confirm.error) === 'second_factor_failed'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirm.mutate()
  }
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!totp) return <Lines count={5} />
  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      <p>{m.totpScan}</p>
      <div className={styles.scan}>
        <QrCode text={totp.uri} label={m.qrCode} />
        <div>
          <p className="small soft">{m.totpType}</p>
          <Copyable text={totp.secret} className={styles.secret ?? ''}>
            {totp.secret.replaceAll(/.{4}(?=.)/g, '$& ')}
          </Copyable>
        </div>
      </div>
      <CodeField
        label={m.code}
        description={m.codeHint}
        value={code}
        onChange={setCode}
        error={isWrong ? problems.second_factor_failed.what : undefined}
      />
      {confirm.error && !isWrong && <ErrorNotice error={confirm.error} />}
      <div className={styles.actions}>
        <Button variant="default" onClick={onCancel}>
          {common.cancel}
        </Button>
        <Button type="submit" loading={confirm.isPending} disabled={code.length !== 6}>
          {m.confirm}
        </Button>
      </div>
    </form>
  )
}
