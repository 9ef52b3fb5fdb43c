import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { FactorAdded } from '../../../../src/contract/portal/factors.js'
import { Button } from '../../../ui/button.js'
import { Field } from '../../../ui/field.js'
import { api } from '../../api/client.js'
import { createPasskey } from '../../api/passkeys.js'
import { useMessages } from '../../i18n/messages.js'
import { PasskeyError } from './passkey-error.js'
import styles from './security.module.css'

type Props = { onAdded(added: FactorAdded): void; onCancel(): void }

/** Names a new passkey, and has the browser create it. */
export function PasskeySetup({ onAdded, onCancel }: Props) {
  const { security: m, common } = useMessages()
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const add = useMutation({
    mutationFn: async () => {
      const passkey = await createPasskey(await api.portal.startPasskey())
      return api.portal.addPasskey({ body: { name: name.trim(), passkey } })
    },
    onSuccess: onAdded,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(name.trim() === '')
    if (name.trim() !== '') add.mutate()
  }
  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      <p>{m.passkeyText}</p>
      <Field
        label={m.passkeyName}
        description={m.passkeyNameHint}
        value={name}
        maxLength={100}
        autoComplete="off"
        error={isMissing ? m.passkeyNameMissing : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
      <PasskeyError error={add.error} />
      <div className={styles.actions}>
        <Button variant="default" onClick={onCancel}>
          {common.cancel}
        </Button>
        <Button type="submit" loading={add.isPending}>
          {m.passkeyCreate}
        </Button>
      </div>
    </form>
  )
}
