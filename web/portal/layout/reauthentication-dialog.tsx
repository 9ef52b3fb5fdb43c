import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button, ButtonLink, TextButton } from '../../ui/button.js'
import { Dialog, DialogActions } from '../../ui/dialog.js'
import { ErrorNotice } from '../../ui/notice.js'
import { PasswordField } from '../../ui/password-field.js'
import { api, refusalCodeOf } from '../api/client.js'
import { hasPasskeys } from '../api/passkeys.js'
import { factorsQuery, signInOptionsQuery } from '../api/queries.js'
import { useSession } from '../api/session.js'
import { useMessages } from '../i18n/messages.js'
import { otherPaths, searchText } from '../paths.js'
import { FactorProof } from './factor-proof.js'
import styles from './reauthentication.module.css'

type Props = { onDone(): void; onClose(): void }

type Method = 'password' | 'totp' | 'passkey'

/** Proves that the person at the keyboard is the one who signed in: with the password, a second factor, or at the provider. */
export function ReauthenticationDialog({ onDone, onClose }: Props) {
  const { reauthentication: m } = useMessages()
  const { has_password } = useSession()
  const { data: factors } = useQuery(factorsQuery())
  const [chosen, setChosen] = useState<Method>()
  const methods: Method[] = [
    ...(has_password ? (['password'] as const) : []),
    ...(factors && factors.passkeys.length > 0 && hasPasskeys() ? (['passkey'] as const) : []),
    ...(factors?.totp ? (['totp'] as const) : []),
  ]
  const method = chosen ?? methods[0]
  const others = { password: m.usePassword, totp: m.useCode, passkey: m.usePasskey }
  return (
    <Dialog title={m.title} onClose={onClose} isPersistent>
      {method === 'password' ? (
        <PasswordProof onDone={onDone} onClose={onClose} />
      ) : method ? (
        <FactorProof key={method} method={method} onDone={onDone} onClose={onClose} />
      ) : (
        <ProviderProof onClose={onClose} />
      )}
      {methods
        .filter((other) => other !== method)
        .map((other) => (
          <p key={other} className="small">
            <TextButton onClick={() => setChosen(other)}>{others[other]}</TextButton>
          </p>
        ))}
    </Dialog>
  )
}

function PasswordProof({ onDone, onClose }: Props) {
  const { reauthentication: m, common, problems } = useMessages()
  const { person } = useSession()
  const [password, setPassword] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.portal.reauthenticate({ body: { password } }),
    onSuccess: onDone,
  })
  const isWrong = refusalCodeOf(error) === 'wrong_password'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      <p>{m.text}</p>
      {/* For password managers. */}
      <input type="text" name="username" autoComplete="username" value={person.email} readOnly hidden />
      <PasswordField
        label={m.password}
        value={password}
        autoComplete="current-password"
        error={isWrong ? problems.wrong_password.what : undefined}
        onChange={(event) => setPassword(event.currentTarget.value)}
        data-autofocus
      />
      {error !== null && !isWrong && <ErrorNotice error={error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {common.cancel}
        </Button>
        <Button type="submit" loading={isPending} disabled={password === ''}>
          {m.confirm}
        </Button>
      </DialogActions>
    </form>
  )
}

/** Signing in at the provider leaves the page: the action has to be repeated afterwards. */
function ProviderProof({ onClose }: Pick<Props, 'onClose'>) {
  const { reauthentication: m, common, signIn } = useMessages()
  const { data: options } = useQuery(signInOptionsQuery())
  const to = window.location.pathname + window.location.search
  return (
    <div className={styles.form}>
      <p>{m.providerText}</p>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {common.cancel}
        </Button>
        {options?.provider && (
          <ButtonLink href={`${otherPaths.provider}${searchText({ to, again: 'true' })}`} target="_self">
            {signIn.provider(options.provider.name)}
          </ButtonLink>
        )}
      </DialogActions>
    </div>
  )
}
