import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { FactorAdded, Passkey } from '../../../../src/contract/portal/factors.js'
import { Button } from '../../../ui/button.js'
import { ConfirmDialog, Dialog, DialogActions } from '../../../ui/dialog.js'
import { Field } from '../../../ui/field.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { api } from '../../api/client.js'
import { useMessages } from '../../i18n/messages.js'
import { PasskeySetup } from './passkey-setup.js'
import { RecoveryCodes } from './recovery-codes.js'
import styles from './security.module.css'
import { TotpSetup } from './totp-setup.js'

export type FactorAction =
  | { what: 'add totp' | 'remove totp' | 'add passkey' | 'renew codes' }
  | { what: 'rename passkey' | 'remove passkey'; passkey: Passkey }
  | { what: 'codes'; codes: string[] }

type Props = {
  action: FactorAction
  onAction(action: FactorAction): void
  onClose(): void
  done(text: string): Promise<void>
  onTotpAdded(added: FactorAdded): void
  onPasskeyAdded(added: FactorAdded): void
}

/** Sets up, renames or removes a second factor. */
export function FactorDialog({ action, onAction, onClose, done, onTotpAdded, onPasskeyAdded }: Props) {
  const m = useMessages().security
  switch (action.what) {
    case 'add totp':
      return (
        <Dialog title={m.totpAdd} onClose={onClose} isPersistent>
          <TotpSetup onAdded={onTotpAdded} onCancel={onClose} />
        </Dialog>
      )
    case 'add passkey':
      return (
        <Dialog title={m.passkeyAdd} onClose={onClose} isPersistent>
          <PasskeySetup onAdded={onPasskeyAdded} onCancel={onClose} />
        </Dialog>
      )
    case 'codes':
      return (
        <Dialog title={m.codes} onClose={onClose} isPersistent>
          <RecoveryCodes codes={action.codes} done={m.codesDone} onDone={onClose} />
        </Dialog>
      )
    case 'remove totp':
      return (
        <ConfirmDialog
          title={m.totpRemoveTitle}
          text={<p>{m.totpRemoveText}</p>}
          confirm={m.totpRemove}
          act={async () => {
            await api.portal.removeTotp()
            await done(m.totpRemoved)
          }}
          onClose={onClose}
        />
      )
    case 'renew codes':
      return <RenewDialog onClose={onClose} onCodes={(codes) => onAction({ what: 'codes', codes })} />
    case 'rename passkey':
      return <RenameDialog passkey={action.passkey} onClose={onClose} done={done} />
    case 'remove passkey':
      return (
        <ConfirmDialog
          title={m.passkeyRemoveTitle(action.passkey.name)}
          text={<p>{m.passkeyRemoveText}</p>}
          confirm={m.passkeyRemove}
          act={async () => {
            await api.portal.removePasskey({ params: { passkey_id: action.passkey.passkey_id } })
            await done(m.passkeyRemoved)
          }}
          onClose={onClose}
        />
      )
  }
}

function RenewDialog({ onClose, onCodes }: { onClose(): void; onCodes(codes: string[]): void }) {
  const { security: m, common } = useMessages()
  const renew = useMutation({
    mutationFn: () => api.portal.renewRecoveryCodes(),
    onSuccess: ({ recovery_codes }) => onCodes(recovery_codes),
  })
  return (
    <Dialog title={m.codesRenew} onClose={onClose}>
      <div className={styles.form}>
        <p>{m.codesRenewText}</p>
        {renew.error && <ErrorNotice error={renew.error} />}
      </div>
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {common.cancel}
        </Button>
        <Button loading={renew.isPending} onClick={() => renew.mutate()}>
          {m.codesRenew}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type RenameProps = { passkey: Passkey; onClose(): void; done(text: string): Promise<void> }

function RenameDialog({ passkey, onClose, done }: RenameProps) {
  const { security: m, common } = useMessages()
  const [name, setName] = useState(passkey.name)
  const rename = useMutation({
    mutationFn: () =>
      api.portal.renamePasskey({ params: { passkey_id: passkey.passkey_id }, body: { name: name.trim() } }),
    onSuccess: () => done(m.passkeyRenamed),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    rename.mutate()
  }
  return (
    <Dialog title={m.passkeyRename} onClose={onClose}>
      <form onSubmit={submit} noValidate className={styles.form}>
        <Field
          label={m.passkeyName}
          value={name}
          maxLength={100}
          autoComplete="off"
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        {rename.error && <ErrorNotice error={rename.error} />}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={rename.isPending} disabled={name.trim() === ''}>
            {common.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
