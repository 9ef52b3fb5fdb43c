import '@mantine/core/styles/ActionIcon.css'
import '@mantine/core/styles/PasswordInput.css'
import { PasswordInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, faultsByPointer, refusalCodeOf } from '../../api/client.js'
import { sessionQuery, useSession } from '../../api/session.js'
import { useMessages } from '../../i18n/messages.js'
import { Button } from '../../parts/button.js'
import { DialogError } from '../../parts/dialog.js'
import { useNotice } from '../../parts/notice.js'
import { Section } from '../../parts/section.js'
import styles from './settings.module.css'

const shortest = 10
type Faults = { current?: string | undefined; next?: string | undefined }

/** A new password; who has always signed in elsewhere has no old one to tell. */
export function PasswordSection() {
  const { settings: m, welcome } = useMessages()
  const { has_password, signed_in_with, person } = useSession()
  const client = useQueryClient()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [missing, setMissing] = useState<Faults>({})
  const [notice, tell] = useNotice()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      api.portal.changePassword({ body: { password: next, ...(has_password && { current_password: current }) } }),
    onSuccess() {
      setCurrent('')
      setNext('')
      void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
      tell(m.changed)
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
        {/* So that whatever keeps passwords knows whose it is. */}
        <input type="text" name="username" autoComplete="username" value={person.email} readOnly hidden />
        {has_password && (
          <PasswordInput
            label={m.current}
            value={current}
            error={faults.current}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': welcome.show }}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
        )}
        <PasswordInput
          label={m.next}
          description={m.nextHint}
          value={next}
          maxLength={256}
          error={faults.next}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': welcome.show }}
          onChange={(event) => setNext(event.currentTarget.value)}
        />
        {error !== null && refused.current === undefined && refused.next === undefined && <DialogError error={error} />}
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
