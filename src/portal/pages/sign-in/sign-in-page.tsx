import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, faultsByPointer } from '../../api/client.js'
import { signInOptionsQuery } from '../../api/queries.js'
import { useMessages } from '../../i18n/messages.js'
import { useAddressQuery } from '../../parts/address-query.js'
import { AppLink } from '../../parts/app-link.js'
import { otherPaths, paths, searchText } from '../../paths.js'
import { useBegin } from './begin.js'
import { Frame } from './frame.js'
import { Notice, ProblemNotice } from './notice.js'
import styles from './sign-in.module.css'
import { useWait } from './wait.js'

const readSearch = ({ to, ended, out, refused }: Record<string, string>) => ({ to, ended, out, refused })

export function SignInPage() {
  const { signIn: m } = useMessages()
  const [{ to, ended, out, refused }] = useAddressQuery(readSearch)
  const begin = useBegin()
  const { data: options } = useQuery(signInOptionsQuery())
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const enter = useMutation({
    mutationFn: () => api.portal.signIn({ body: { email: email.trim(), password } }),
    onSuccess: (session) => begin(session, to),
  })
  const enterDemo = useMutation({
    mutationFn: () => api.portal.signInToDemo(),
    onSuccess: (session) => begin(session, to),
  })
  const faults = faultsByPointer(enter.error)
  const seconds = useWait(enter.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    enter.mutate()
  }

  return (
    <Frame title={m.title} lead={m.lead}>
      {ended && !enter.error && <Notice tone="late">{m.ended}</Notice>}
      {out && !enter.error && <Notice tone="done">{m.signedOut}</Notice>}
      {refused && !enter.error && (
        <Notice tone="problem">{refused === 'provider_away' ? m.providerAway : m.providerRefused}</Notice>
      )}
      {options?.demo && (
        <section className={styles.demo} aria-labelledby="demo">
          <h2 id="demo">{m.demoTitle}</h2>
          <p className="soft small">{m.demoText}</p>
          <Button onClick={() => enterDemo.mutate()} loading={enterDemo.isPending} fullWidth mt={10}>
            {m.demo}
          </Button>
          {enterDemo.error && <ProblemNotice error={enterDemo.error} />}
        </section>
      )}
      <form className={styles.form} onSubmit={submit} noValidate>
        {enter.error && Object.keys(faults).length === 0 && (
          <ProblemNotice error={enter.error} {...(seconds > 0 && { text: m.wait(seconds) })} />
        )}
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
        <PasswordInput
          label={m.password}
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={faults['/password'] && m.passwordFault}
          visibilityToggleButtonProps={{ 'aria-label': m.showPassword }}
          size="md"
          required
          withAsterisk={false}
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
      </form>
      {options?.provider && (
        <>
          <p className={styles.or}>
            <span>{m.or}</span>
          </p>
          <Button
            component="a"
            href={`${otherPaths.provider}${searchText({ to })}`}
            variant="default"
            size="md"
            fullWidth
          >
            {m.provider(options.provider.name)}
          </Button>
        </>
      )}
    </Frame>
  )
}
