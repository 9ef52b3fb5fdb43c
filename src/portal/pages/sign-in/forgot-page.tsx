import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, faultsByPointer } from '../../api/client.js'
import { useMessages } from '../../i18n/messages.js'
import { useAddressQuery } from '../../parts/address-query.js'
import { AppLink } from '../../parts/app-link.js'
import { paths } from '../../paths.js'
import { Frame } from './frame.js'
import { Notice, ProblemNotice } from './notice.js'
import styles from './sign-in.module.css'
import { useWait } from './wait.js'

const readSearch = ({ email }: Record<string, string>) => ({ email })

/** Whoever forgot their password is sent a link. Whether an address is known is not told. */
export function ForgotPage() {
  const { signIn: m } = useMessages()
  const [known] = useAddressQuery(readSearch)
  const [email, setEmail] = useState(known.email ?? '')
  const ask = useMutation({
    mutationFn: (wanted: string) => api.portal.requestPasswordReset({ body: { email: wanted } }),
  })
  const faults = faultsByPointer(ask.error)
  const seconds = useWait(ask.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask.mutate(email.trim())
  }

  return (
    <Frame title={m.forgotTitle} lead={m.forgotLead}>
      <form className={styles.form} onSubmit={submit} noValidate>
        {ask.error && Object.keys(faults).length === 0 && (
          <ProblemNotice error={ask.error} {...(seconds > 0 && { text: m.wait(seconds) })} />
        )}
        {ask.isSuccess && <Notice tone="done">{m.forgotDone(ask.variables)}</Notice>}
        <TextInput
          label={m.email}
          type="email"
          name="email"
          autoComplete="username"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={faults['/email'] && m.emailFault}
          size="md"
          required
          withAsterisk={false}
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
