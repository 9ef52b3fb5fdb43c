import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../ui/button.js'
import { ErrorNotice, useNotice } from '../../../ui/notice.js'
import { PasswordField } from '../../../ui/password-field.js'
import { Section } from '../../../ui/section.js'
import { api, faultsByPointer, refusalCodeOf } from '../../api/client.js'
import { sessionQuery, useSession } from '../../api/session.js'
import { useMessages } from '../../i18n/messages.js'
import styles from './settings.module.css'

const shortest = 10
type Faults = { current?: string | undefined; next?: string | undefined }

/** Changes the password. Someone who signs in with a provider gets a link by mail to choose the first one. */
export function PasswordSection() {
  return useSession().has_password ? <PasswordForm /> : <FirstPassword />
}

function FirstPassword() {
  const { settings: m } = useMessages()
  const { signed_in_with, person } = useSession()
  const [notice, notify] = useNotice()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.portal.requestPasswordReset({ body: { email: person.email } }),
    onSuccess: () => notify(m.passwordLinkSent(person.email)),
  })
  const isDemo = signed_in_with === 'demo'
  return (
    <Section title={m.password}>
      <div className={styles.form}>
        <p className="soft">{isDemo ? m.demoPassword : m.passwordNone}</p>
        {notice}
        {error && <ErrorNotice error={error} />}
        {!isDemo && (
          <div>
            <Button variant="default" loading={isPending} onClick={() => mutate()}>
              {m.passwordLink}
            </Button>
          </div>
        )}
      </div>
    </Section>
  )
}

function PasswordForm() {
  const { settings: m } = useMessages()
  const { person } = useSession()
  const client = useQueryClient()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [missing, setMissing] = useState<Faults>({})
  const [notice, notify] = useNotice()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.portal.changePassword({ body: { password: next, current_password: current } }),
    onSuccess() {
      setCurrent('')
      setNext('')
      void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
      notify(m.changed)
    },
  })
  const refused = useFaults(error)
  const faults = { ...refused, ...missing }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found: Faults = {
      ...(current === '' && { current: m.currentMissing }),
      ...(next.length < shortest && { next: m.tooShort }),
    }
    setMissing(found)
    if (Object.keys(found).length === 0) mutate()
  }

  return (
    <Section title={m.password}>
      <form onSubmit={submit} noValidate className={styles.form}>
        <p className="soft">{m.passwordText}</p>
        {notice}
        {/* For password managers. */}
        <input type="text" name="username" autoComplete="username" value={person.email} readOnly hidden />
        <PasswordField
          label={m.current}
          value={current}
          error={faults.current}
          autoComplete="current-password"
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <PasswordField
          label={m.next}
          description={m.nextHint}
          value={next}
          maxLength={256}
          error={faults.next}
          autoComplete="new-password"
          onChange={(event) => setNext(event.currentTarget.value)}
        />
        {error !== null && refused.current === undefined && refused.next === undefined && <ErrorNotice error={error} />}
        <div>
          <Button type="submit" loading={isPending}>
            {m.change}
          </Button>
        </div>
      </form>
    </Section>
  )
}

function useFaults(error: unknown): Faults {
  const { problems, settings } = useMessages()
  if (refusalCodeOf(error) === 'wrong_password') return { current: problems.wrong_password.what }
  const { '/password': next, '/current_password': current } = faultsByPointer(error)
  // Its length was checked before: the server knows which are common.
  return { ...(next && { next: settings.tooCommon }), ...(current && { current }) }
}
