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

/** Changes the password, or sets the first one of someone who signs in with a provider. */
export function PasswordSection() {
  const { settings: m } = useMessages()
  const { has_password, signed_in_with, person } = useSession()
  const client = useQueryClient()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [missing, setMissing] = useState<Faults>({})
  const [notice, notify] = useNotice()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      api.portal.changePassword({ body: { password: next, ...(has_password && { current_password: current }) } }),
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
      ...(has_password && current === '' && { current: m.currentMissing }),
      ...(next.length < shortest && { next: m.tooShort }),
    }
    setMissing(found)
    if (Object.keys(found).length === 0) mutate()
  }
  const text = has_password ? m.passwordText : signed_in_with === 'demo' ? m.demoPassword : m.passwordNone

  return (
    <Section title={m.password}>
      <form onSubmit={submit} noValidate className={styles.form}>
        <p className="soft">{text}</p>
        {notice}
        {/* For password managers. */}
        <input type="text" name="username" autoComplete="username" value={person.email} readOnly hidden />
        {has_password && (
          <PasswordField
            label={m.current}
            value={current}
            error={faults.current}
            autoComplete="current-password"
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
        )}
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
            {has_password ? m.change : m.choose}
          </Button>
        </div>
      </form>
    </Section>
  )
}

function useFaults(error: unknown): Faults {
  const { problems } = useMessages()
  if (refusalCodeOf(error) === 'wrong_password') return { current: problems.wrong_password.what }
  const { '/password': next, '/current_password': current } = faultsByPointer(error)
  return { ...(next && { next }), ...(current && { current }) }
}
