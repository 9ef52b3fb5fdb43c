import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Person } from '../../../contract/portal/people.js'
import { api } from '../../api/client.js'
import { peopleQuery } from '../../api/queries.js'
import { useSession } from '../../api/session.js'
import { useMessages } from '../../i18n/messages.js'
import { Button } from '../../parts/button.js'
import { ConfirmDialog, Dialog, DialogActions, DialogError } from '../../parts/dialog.js'
import { RoleField } from './role-field.js'
import { isLastAdmin } from './roles.js'
import styles from './team.module.css'

export type PersonAct = { what: 'role' | 'disable' | 'remove'; person: Person }

type Props = { act: PersonAct; people: Person[]; onClose(): void; tell(text: string): void }

/** What an admin does about somebody, once they have said that they mean it. */
export function PersonDialog({ act: { what, person }, people, onClose, tell }: Props) {
  const m = useMessages().team
  const isSelf = useSession().person.person_id === person.person_id
  const client = useQueryClient()
  const { person_id, name } = person
  const params = { person_id }
  const done = async (told: string) => {
    await client.invalidateQueries({ queryKey: peopleQuery().queryKey })
    tell(told)
  }
  if (isLastAdmin(person, people)) return <LastAdmin act={what} person={person} onClose={onClose} />
  if (what === 'role') return <RoleDialog person={person} isSelf={isSelf} onClose={onClose} done={done} />
  const texts = {
    disable: { title: m.disableTitle(name), text: m.disableText, confirm: m.disable },
    remove: { title: m.removeTitle(name), text: m.removeText, confirm: m.remove },
  }[what]
  return (
    <ConfirmDialog
      title={texts.title}
      text={
        <>
          <p>{texts.text}</p>
          {isSelf && <p className="strong">{m.yourself}</p>}
        </>
      }
      confirm={texts.confirm}
      act={async () => {
        if (what === 'disable') await api.portal.updateRole({ params, body: { disabled: true } })
        else await api.portal.removePerson({ params })
        await done(what === 'disable' ? m.disabled(name) : m.removed(name))
      }}
      onClose={onClose}
    />
  )
}

function LastAdmin({ act, person, onClose }: { act: PersonAct['what']; person: Person; onClose(): void }) {
  const { team: m, common } = useMessages()
  const { name } = person
  const titles = { role: m.roleTitle(name), disable: m.disableTitle(name), remove: m.removeTitle(name) }
  return (
    <Dialog title={titles[act]} onClose={onClose}>
      <p>{m.lastAdmin(name)}</p>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {common.close}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type RoleProps = { person: Person; isSelf: boolean; onClose(): void; done(told: string): Promise<void> }

function RoleDialog({ person, isSelf, onClose, done }: RoleProps) {
  const { team: m, common, statuses } = useMessages()
  const { person_id, name } = person
  const [role, setRole] = useState(person.role)
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setState({ isBusy: true })
    try {
      await api.portal.updateRole({ params: { person_id }, body: { role } })
      await done(m.roleChanged(name, statuses.role[role]))
      onClose()
    } catch (error) {
      setState({ isBusy: false, error })
    }
  }
  return (
    <Dialog title={m.roleTitle(name)} onClose={onClose}>
      <form onSubmit={(event) => void save(event)} className={styles.form}>
        <RoleField value={role} onChange={setRole} />
        {isSelf && role !== 'admin' && <p className="strong">{m.yourself}</p>}
        {state.error !== undefined && <DialogError error={state.error} />}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={state.isBusy} disabled={role === person.role}>
            {m.roleSave}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
