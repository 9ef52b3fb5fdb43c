import { type FormEvent, useState } from 'react'
import type { Language } from '../../../../src/contract/portal/people.js'
import { faultsByPointer, refusalCodeOf } from '../../../portal/api/client.js'
import { useMessages, useReader } from '../../../portal/i18n/messages.js'
import { languageNames, languages } from '../../../portal/layout/preferences.js'
import { Button } from '../../../ui/button.js'
import { RadioGroup } from '../../../ui/choices.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { Field, SelectField } from '../../../ui/field.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { useDraft } from '../../../ui/use-draft.js'
import actions from '../../actions/actions.module.css'
import { useOfficeMessages } from '../../i18n/messages.js'
import type { Invited, PeopleAccess, Role } from './people-access.js'

type Draft = { name: string; email: string; role: Role; language: Language }
type Faults = Partial<Record<'name' | 'email', string | undefined>>
type Props = {
  access: PeopleAccess
  roleNames: Record<Role, string>
  onClose: () => void
  onInvited: (person: Invited) => void
}

/** Invites a user of a customer, or one of the forwarder's own people. */
export function InviteDialog({ access, roleNames, onClose, onInvited }: Props) {
  const { team: t, common, problems } = useMessages()
  const { people: m } = useOfficeMessages()
  const { language } = useReader()
  const isStaff = access.endSessions !== undefined
  const initial: Draft = { name: '', email: '', role: isStaff ? 'viewer' : 'admin', language }
  const [draft, change, drop] = useDraft(access.name, initial)
  const [faults, setFaults] = useState<Faults>({})
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  const close = () => {
    drop()
    onClose()
  }

  const send = async (event: FormEvent) => {
    event.preventDefault()
    const given = { ...draft, name: draft.name.trim(), email: draft.email.trim() }
    const found = { ...(!given.name && { name: t.nameMissing }), ...(!given.email && { email: t.emailMissing }) }
    setFaults(found)
    if (Object.keys(found).length > 0) return
    setState({ isBusy: true })
    try {
      const invited = await access.invite(given)
      close()
      onInvited(invited)
    } catch (error) {
      const rejected = faultsByPointer(error)
      const isKnown = refusalCodeOf(error) === 'person_exists'
      const aboutEmail = isKnown ? problems.person_exists.what : rejected['/email'] && t.emailFault
      setFaults({ name: rejected['/name'], email: aboutEmail })
      setState({ isBusy: false, ...(Object.keys(rejected).length === 0 && { error }) })
    }
  }

  return (
    <Dialog title={m.inviteTitle} onClose={close} isPersistent>
      <form onSubmit={(event) => void send(event)} noValidate className={actions.form}>
        <p>{t.inviteText}</p>
        <Field
          label={t.name}
          value={draft.name}
          maxLength={200}
          error={faults.name}
          data-autofocus
          autoComplete="off"
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Field
          type="email"
          label={t.email}
          value={draft.email}
          maxLength={254}
          error={faults.email}
          autoComplete="off"
          onChange={(event) => change({ email: event.currentTarget.value })}
        />
        <RadioGroup<Role>
          label={t.role}
          isStacked
          value={draft.role}
          options={access.roles.map((role) => ({
            value: role,
            label: roleNames[role],
            description: isStaff ? m.staffRoles[role as keyof typeof m.staffRoles] : t.roleTexts[role as 'admin'],
          }))}
          onChange={(role) => change({ role })}
        />
        <SelectField
          label={t.language}
          value={draft.language}
          onChange={(chosen) => change({ language: chosen })}
          options={languages.map((each) => ({ value: each, label: languageNames[each] }))}
        />
        {state.error !== undefined && <ErrorNotice error={state.error} />}
        <DialogActions>
          <Button variant="default" onClick={close}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={state.isBusy}>
            {t.send}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
