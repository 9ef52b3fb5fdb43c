import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useAddressQuery } from '../../../ui/address-query.js'
import { AppLink } from '../../../ui/app-link.js'
import { Button, ButtonLink } from '../../../ui/button.js'
import { Field } from '../../../ui/field.js'
import { ErrorNotice, Notice } from '../../../ui/notice.js'
import { PasswordField } from '../../../ui/password-field.js'
import { api, faultsByPointer, refusalCodeOf } from '../../api/client.js'
import { hasPasskeys, signWithPasskey } from '../../api/passkeys.js'
import { signInOptionsQuery } from '../../api/queries.js'
import { useMessages } from '../../i18n/messages.js'
import { otherPaths, paths, searchText } from '../../paths.js'
import { site } from '../../site.js'
import { PasskeyError } from '../security/passkey-error.js'
import { Frame } from './frame.js'
import { useRetryDelay } from './retry-delay.js'
import { SecondFactor } from './second-factor.js'
import styles from './sign-in.module.css'
import { useStartSession } from './start-session.js'

const readSearch = ({ to, ended, out, refused }: Record<string, string>) => ({ to, ended, out, refused })

export function SignInPage() {
  const { signIn: m, office, sharing } = useMessages()
  const [{ to, ended, out, refused }] = useAddressQuery(readSearch)
  const startSession = useStartSession()
  const { data: options } = useQuery(signInOptionsQuery())
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const enter = useMutation({
    mutationFn: () => api.portal.signIn({ body: { email: email.trim(), password } }),
    onSuccess: (session) => startSession(session, to),
  })
  const enterDemo = useMutation({
    mutationFn: () => api.portal.signInToDemo(),
    onSuccess: (session) => startSession(session, to),
  })
  const enterWithPasskey = useMutation({
    mutationFn: async () => {
      const passkey = await signWithPasskey(await api.portal.startPasskeySignIn())
      return api.portal.signInWithPasskey({ body: { passkey } })
    },
    onSuccess: (session) => startSession(session, to),
  })
  const faults = faultsByPointer(enter.error)
  const seconds = useRetryDelay(enter.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    enter.mutate()
  }

  if (refusalCodeOf(enter.error) === 'second_factor_required') {
    return <SecondFactor to={to} onCancel={() => enter.reset()} />
  }
  return (
    <Frame title={m.title} lead={site === 'office' ? office.signInLead : m.lead}>
      {ended && !enter.error && (
        <Notice tone="late" role="status">
          {m.ended}
        </Notice>
      )}
      {out && !enter.error && (
        <Notice tone="done" role="status">
          {m.signedOut}
        </Notice>
      )}
      {refused && !enter.error && (
        <Notice tone="problem" role="alert">
          {refused === 'provider_away' ? m.providerAway : m.providerRefused}
        </Notice>
      )}
      {options?.demo && (
        <section className={styles.demo} aria-labelledby="demo">
          <h2 id="demo">{m.demoTitle}</h2>
          <p className="soft small">{m.demoText}</p>
          <Button onClick={() => enterDemo.mutate()} loading={enterDemo.isPending} fullWidth>
            {m.demo}
          </Button>
          {enterDemo.error && <ErrorNotice error={enterDemo.error} />}
        </section>
      )}
      <form className={styles.form} onSubmit={submit} noValidate>
        {enter.error && Object.keys(faults).length === 0 && (
          <ErrorNotice error={enter.error} text={seconds > 0 ? m.wait(seconds) : undefined} />
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
        <PasswordField
          label={m.password}
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={faults['/password'] && m.passwordFault}
          size="md"
          required
        />
        <Button
          type="submit"
          size="md"
          variant={options?.demo ? 'default' : 'filled'}
          loading={enter.isPending}
          disabled={seconds > 0}
          fullWidth
        >
          {m.submit}
        </Button>
        <p className="small">
          <AppLink href={paths.forgot({ email: email.trim() })}>{m.forgot}</AppLink>
        </p>
        {options?.offers_tracking === true && site !== 'office' && (
          <p className="small">
            <AppLink href={paths.track()}>{sharing.trackTitle}</AppLink>
          </p>
        )}
      </form>
      {(options?.provider || hasPasskeys()) && (
        <p className={styles.or}>
          <span>{m.or}</span>
        </p>
      )}
      {hasPasskeys() && (
        <div className={styles.form}>
          <Button
            variant="default"
            size="md"
            loading={enterWithPasskey.isPending}
            onClick={() => enterWithPasskey.mutate()}
            fullWidth
          >
            {m.passkey}
          </Button>
          <PasskeyError error={enterWithPasskey.error} />
        </div>
      )}
      {options?.provider && (
        <ButtonLink
          href={`${otherPaths.provider}${searchText({ to })}`}
          target="_self"
          variant="default"
          size="md"
          fullWidth
        >
          {m.provider(options.provider.name)}
        </ButtonLink>
      )}
    </Frame>
  )
}
