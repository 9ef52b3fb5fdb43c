import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Language, PersonRole } from '../../../../src/contract/portal/people.js'
import { Button } from '../../../ui/button.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { Field, SelectField } from '../../../ui/field.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { useDraft } from '../../../ui/use-draft.js'
import { api, faultsByPointer, refusalCodeOf } from '../../api/client.js'
import { peopleQuery, signInOptionsQuery } from '../../api/queries.js'
import { useMessages, useReader } from '../../i18n/messages.js'
import { languageNames, languages } from '../../layout/preferences.js'
import { RoleField } from './role-field.js'
import styles from './team.module.css'

/** Under which the form survives a reload. */
export const invitationDraft = 'invitation'

type InviteDraft = { name: string; email: string; role: PersonRole; language: Language }

type Faults = Partial<Record<'name' | 'email', string | undefined>>

export function InviteDialog({ onClose, notify }: { onClose(): void; notify(text: string): void }) {
  const { team: m, common, problems } = useMessages()
  const reader = useReader()
  const client = useQueryClient()
  const { data: options } = useQuery(signInOptionsQuery())
  const [{ name, email, role, language }, change, drop] = useDraft<InviteDraft>(invitationDraft, {
    name: '',
    email: '',
    role: 'member',
    language: reader.language,
  })
  const close = () => {
    drop()
    onClose()
  }
  const [faults, setFaults] = useState<Faults>({})
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })

  const send = async (event: FormEvent) => {
    event.preventDefault()
    const given = { name: name.trim(), email: email.trim(), role, language }
    const found = { ...(!given.name && { name: m.nameMissing }), ...(!given.email && { email: m.emailMissing }) }
    setFaults(found)
    if (Object.keys(found).length > 0) return
    setState({ isBusy: true })
    try {
      await api.portal.invitePerson({ body: given })
      await client.invalidateQueries({ queryKey: peopleQuery().queryKey })
      notify(options?.sends_mail === false ? m.invitedWithoutMail(given.email) : m.invited(given.email))
      close()
    } catch (error) {
      const rejected = faultsByPointer(error)
      const isKnown = refusalCodeOf(error) === 'person_exists'
      const aboutEmail = isKnown ? problems.person_exists.what : rejected['/email'] && m.emailFault
      setFaults({ name: rejected['/name'], email: aboutEmail })
      setState({ isBusy: false, ...(Object.keys(rejected).length === 0 && { error }) })
    }
  }

  return (
    <Dialog title={m.inviteTitle} onClose={close} isPersistent>
      <form onSubmit={(event) => void send(event)} noValidate className={styles.form}>
        <p>{m.inviteText}</p>
        <Field
          label={m.name}
          value={name}
          maxLength={200}
          error={faults.name}
          data-autofocus
          autoComplete="off"
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Field
          type="email"
          label={m.email}
          value={email}
          maxLength={254}
          error={faults.email}
          autoComplete="off"
          onChange={(event) => change({ email: event.currentTarget.value })}
        />
        <RoleField value={role} onChange={(value) => change({ role: value })} />
        <SelectField
          label={m.language}
          value={language}
          onChange={(value) => change({ language: value })}
          options={languages.map((each) => ({ value: each, label: languageNames[each] }))}
        />
        {state.error !== undefined && <ErrorNotice error={state.error} />}
        <DialogActions>
          <Button variant="default" onClick={close}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={state.isBusy}>
            {m.send}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
