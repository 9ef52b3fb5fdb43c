import { IconDots, IconMailForward, IconTrash, IconUserCheck, IconUserCog, IconUserOff } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Person } from '../../../contract/portal/people.js'
import { api } from '../../api/client.js'
import { peopleQuery } from '../../api/queries.js'
import { useSession } from '../../api/session.js'
import { useMessages } from '../../i18n/messages.js'
import { type Mark, StatusBadge, type Tone } from '../../parts/badges.js'
import { IconButton } from '../../parts/button.js'
import { DialogError } from '../../parts/dialog.js'
import { Menu, MenuItem } from '../../parts/menu.js'
import { MomentText } from '../../parts/moment-text.js'
import { type PlainColumn, PlainTable } from '../../parts/plain-table.js'
import { Section } from '../../parts/section.js'
import type { PersonAct } from './person-dialogs.js'
import styles from './team.module.css'

type Props = {
  people: Person[]
  tell(text: string): void
  /** What an admin decides to do about somebody; absent for others. */
  onAct?: (act: PersonAct) => void
}

export function People({ people, tell, onAct }: Props) {
  const m = useMessages().team
  const columns = useColumns()
  const [error, setError] = useState<unknown>()
  const actions: PlainColumn<Person>[] = onAct
    ? [
        {
          id: 'actions',
          header: m.actions,
          align: 'right',
          isPlain: true,
          cell: (person) => <Actions person={person} onAct={onAct} tell={tell} onError={setError} />,
        },
      ]
    : []
  return (
    <Section title={m.people} isBare>
      {error !== undefined && <DialogError error={error} />}
      <PlainTable
        label={m.people}
        rows={people}
        columns={[...columns, ...actions]}
        rowKey={({ person_id }) => person_id}
        isFaint={({ status }) => status === 'disabled'}
      />
    </Section>
  )
}

const looks: Record<Person['status'], [Tone, Mark]> = {
  active: ['done', 'full'],
  invited: ['accent', 'half'],
  disabled: ['planned', 'crossed'],
}

function useColumns(): PlainColumn<Person>[] {
  const { team: m, statuses } = useMessages()
  const { person: self } = useSession()
  return [
    {
      id: 'name',
      header: m.name,
      isName: true,
      cell: ({ name, email, person_id }) => (
        <span className={styles.person}>
          <span>
            <span className="strong">{name}</span>
            {person_id === self.person_id && <span className={styles.you}>{m.you}</span>}
          </span>
          <span className="small soft">{email}</span>
        </span>
      ),
    },
    { id: 'role', header: m.role, cell: ({ role }) => statuses.role[role] },
    {
      id: 'status',
      header: m.status,
      cell: ({ status }) => {
        const [tone, mark] = looks[status]
        return (
          <StatusBadge tone={tone} mark={mark}>
            {statuses.personStatus[status]}
          </StatusBadge>
        )
      },
    },
    {
      id: 'seen',
      header: m.lastSeen,
      cell: ({ last_seen_at }) => <MomentText at={last_seen_at} look="ago" none={m.neverSeen} />,
    },
  ]
}

type ActionsProps = {
  person: Person
  onAct(act: PersonAct): void
  tell(text: string): void
  onError(error: unknown): void
}

function Actions({ person, onAct, tell, onError }: ActionsProps) {
  const m = useMessages().team
  const client = useQueryClient()
  const { person_id, name, email, status } = person
  // What can be taken back is done without a question.
  const atOnce = async (act: Promise<unknown>, done: string) => {
    onError(undefined)
    try {
      await act
      await client.invalidateQueries({ queryKey: peopleQuery().queryKey })
      tell(done)
    } catch (error) {
      onError(error)
    }
  }
  const inviteAgain = () => atOnce(api.portal.inviteAgain({ params: { person_id } }), m.invitedAgain(email))
  const enable = () =>
    atOnce(api.portal.updateRole({ params: { person_id }, body: { disabled: false } }), m.enabled(name))

  return (
    <Menu
      label={m.actionsFor(name)}
      align="end"
      trigger={(trigger) => (
        <IconButton {...trigger} aria-label={m.actionsFor(name)}>
          <IconDots size={18} aria-hidden="true" />
        </IconButton>
      )}
    >
      {status === 'invited' && (
        <MenuItem icon={<IconMailForward size={16} aria-hidden="true" />} onClick={() => void inviteAgain()}>
          {m.inviteAgain}
        </MenuItem>
      )}
      <MenuItem icon={<IconUserCog size={16} aria-hidden="true" />} onClick={() => onAct({ what: 'role', person })}>
        {m.changeRole}
      </MenuItem>
      {status === 'disabled' ? (
        <MenuItem icon={<IconUserCheck size={16} aria-hidden="true" />} onClick={() => void enable()}>
          {m.enable}
        </MenuItem>
      ) : (
        <MenuItem
          icon={<IconUserOff size={16} aria-hidden="true" />}
          onClick={() => onAct({ what: 'disable', person })}
        >
          {m.disable}
        </MenuItem>
      )}
      <MenuItem
        tone="problem"
        icon={<IconTrash size={16} aria-hidden="true" />}
        onClick={() => onAct({ what: 'remove', person })}
      >
        {m.remove}
      </MenuItem>
    </Menu>
  )
}
