import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Person } from '../../../../src/contract/portal/people.js'
import { Button } from '../../../ui/button.js'
import { RadioGroup } from '../../../ui/choices.js'
import { systemTime } from '../../../ui/clock.js'
import { ConfirmDialog, Dialog, DialogActions } from '../../../ui/dialog.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { api } from '../../api/client.js'
import { keysQuery, peopleQuery } from '../../api/queries.js'
import { useSession } from '../../api/session.js'
import { useMessages } from '../../i18n/messages.js'
import { stateOf } from '../developers/key-state.js'
import { RoleField } from './role-field.js'
import { isLastAdmin } from './roles.js'
import styles from './team.module.css'

export type PersonAction = { what: 'role' | 'disable' | 'remove' | 'factors'; person: Person }

type Props = { action: PersonAction; people: Person[]; onClose(): void; notify(text: string): void }

/** Confirms an action on a person. */
export function PersonDialog({ action: { what, person }, people, onClose, notify }: Props) {
  const { team: m, security } = useMessages()
  const isSelf = useSession().person.person_id === person.person_id
  const client = useQueryClient()
  const { person_id, name } = person
  const params = { person_id }
  const done = async (message: string) => {
    await client.invalidateQueries({ queryKey: peopleQuery().queryKey })
    notify(message)
  }
  if (what === 'factors') {
    return (
      <ConfirmDialog
        title={security.removeFactorsTitle(name)}
        text={<p>{security.removeFactorsText}</p>}
        confirm={security.removeFactors}
        act={async () => {
          await api.portal.removeFactors({ params })
          await done(security.factorsRemoved(name))
        }}
        onClose={onClose}
      />
    )
  }
  if (isLastAdmin(person, people)) return <LastAdmin action={what} person={person} onClose={onClose} />
  if (what === 'remove') return <RemoveDialog person={person} isSelf={isSelf} onClose={onClose} done={done} />
  if (what === 'role') return <RoleDialog person={person} isSelf={isSelf} onClose={onClose} done={done} />
  return (
    <ConfirmDialog
      title={m.disableTitle(name)}
      text={
        <>
          <p>{m.disableText}</p>
          {isSelf && <p className="strong">{m.yourself}</p>}
        </>
      }
      confirm={m.disable}
      act={async () => {
        await api.portal.updateRole({ params, body: { disabled: true } })
        await done(m.disabled(name))
      }}
      onClose={onClose}
    />
  )
}

function LastAdmin({
  action,
  person,
  onClose,
}: {
  action: Exclude<PersonAction['what'], 'factors'>
  person: Person
  onClose(): void
}) {
  const { team: m, common } = useMessages()
  const { name } = person
  const titles = { role: m.roleTitle(name), disable: m.disableTitle(name), remove: m.removeTitle(name) }
  return (
    <Dialog title={titles[action]} onClose={onClose}>
      <p>{m.lastAdmin(name)}</p>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {common.close}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type LeftKeys = 'revoke' | 'hand_over'

/** Removes a person. An admin chooses what becomes of their keys, if they have any that work. */
function RemoveDialog({ person, isSelf, onClose, done }: RoleProps) {
  const m = useMessages().team
  const { person_id, name } = person
  const { data: keys = [] } = useQuery(keysQuery())
  const client = useQueryClient()
  const [choice, setChoice] = useState<LeftKeys>('revoke')
  const now = systemTime()
  const left = keys.filter(
    (key) => key.owner === `person:${person_id}` && !['expired', 'revoked'].includes(stateOf(key, now)),
  )
  return (
    <ConfirmDialog
      title={m.removeTitle(name)}
      text={
        <>
          <p>{m.removeText}</p>
          {isSelf && <p className="strong">{m.yourself}</p>}
          {left.length > 0 && (
            <RadioGroup<LeftKeys>
              label={m.leftKeys(left.length)}
              isStacked
              value={choice}
              onChange={setChoice}
              options={[
                { value: 'revoke', label: m.revokeKeys },
                { value: 'hand_over', label: m.takeOverKeys },
              ]}
            />
          )}
        </>
      }
      confirm={m.remove}
      act={async () => {
        await api.portal.removePerson({ params: { person_id }, query: left.length > 0 ? { keys: choice } : {} })
        void client.invalidateQueries({ queryKey: keysQuery().queryKey })
        await done(m.removed(name))
      }}
      onClose={onClose}
    />
  )
}

type RoleProps = { person: Person; isSelf: boolean; onClose(): void; done(message: string): Promise<void> }

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
        {state.error !== undefined && <ErrorNotice error={state.error} />}
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
