import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useAddressQuery } from '../../../ui/address-query.js'
import { AppLink } from '../../../ui/app-link.js'
import { Button } from '../../../ui/button.js'
import { Field } from '../../../ui/field.js'
import { ErrorNotice, Notice } from '../../../ui/notice.js'
import { api, faultsByPointer } from '../../api/client.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { Frame } from './frame.js'
import { useRetryDelay } from './retry-delay.js'
import styles from './sign-in.module.css'

const readSearch = ({ email }: Record<string, string>) => ({ email })

/** Requests a reset link. The response does not reveal whether an address is known. */
export function ForgotPage() {
  const { signIn: m } = useMessages()
  const [known] = useAddressQuery(readSearch)
  const [email, setEmail] = useState(known.email ?? '')
  const ask = useMutation({
    mutationFn: (wanted: string) => api.portal.requestPasswordReset({ body: { email: wanted } }),
  })
  const faults = faultsByPointer(ask.error)
  const seconds = useRetryDelay(ask.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask.mutate(email.trim())
  }

  return (
    <Frame title={m.forgotTitle} lead={m.forgotLead}>
      <form className={styles.form} onSubmit={submit} noValidate>
        {ask.error && Object.keys(faults).length === 0 && (
          <ErrorNotice error={ask.error} text={seconds > 0 ? m.wait(seconds) : undefined} />
        )}
        {ask.isSuccess && (
          <Notice tone="done" role="status">
            {m.forgotDone(ask.variables)}
          </Notice>
        )}
        <Field
          label={m.email}
          type="email"
          name="email"
          autoComplete="username"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={faults['/email'] && m.emailFault}
          size="md"
          required
        />
        <Button type="submit" size="md" loading={ask.isPending} disabled={seconds > 0} fullWidth>
          {m.forgotSubmit}
        </Button>
        <p className="small">
          <AppLink href={paths.signIn()}>{m.backToSignIn}</AppLink>
        </p>
      </form>
    </Frame>
  )
}
