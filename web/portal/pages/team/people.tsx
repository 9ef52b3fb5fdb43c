import {
  IconDots,
  IconMailForward,
  IconShieldOff,
  IconTrash,
  IconUserCheck,
  IconUserCog,
  IconUserOff,
} from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Person } from '../../../../src/contract/portal/people.js'
import { type Mark, StatusBadge, type Tone } from '../../../ui/badges.js'
import { IconButton } from '../../../ui/button.js'
import { Menu, MenuItem } from '../../../ui/menu.js'
import { MomentText } from '../../../ui/moment-text.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { type PlainColumn, PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { api } from '../../api/client.js'
import { peopleQuery, signInOptionsQuery } from '../../api/queries.js'
import { useSession } from '../../api/session.js'
import { useMessages } from '../../i18n/messages.js'
import type { PersonAction } from './person-dialogs.js'
import styles from './team.module.css'

type Props = {
  people: Person[]
  notify(text: string): void
  /** Absent for people who are not admins. */
  onAction?: (action: PersonAction) => void
}

export function People({ people, notify, onAction }: Props) {
  const m = useMessages().team
  const columns = useColumns()
  const [error, setError] = useState<unknown>()
  const actions: PlainColumn<Person>[] = onAction
    ? [
        {
          id: 'actions',
          header: m.actions,
          align: 'right',
          isPlain: true,
          cell: (person) => <Actions person={person} onAction={onAction} notify={notify} onError={setError} />,
        },
      ]
    : []
  return (
    <Section title={m.people} isBare>
      {error !== undefined && <ErrorNotice error={error} />}
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
  onAction(action: PersonAction): void
  notify(text: string): void
  onError(error: unknown): void
}

function Actions({ person, onAction, notify, onError }: ActionsProps) {
  const { team: m, security } = useMessages()
  const client = useQueryClient()
  const { person_id, name, email, status } = person
  // Without confirmation: these can be undone.
  const run = async (action: Promise<unknown>, message: string) => {
    onError(undefined)
    try {
      await action
      await client.invalidateQueries({ queryKey: peopleQuery().queryKey })
      notify(message)
    } catch (error) {
      onError(error)
    }
  }
  const { data: options } = useQuery(signInOptionsQuery())
  const invited = options?.sends_mail === false ? m.invitedWithoutMail(email) : m.invitedAgain(email)
  const inviteAgain = () => run(api.portal.inviteAgain({ params: { person_id } }), invited)
  const enable = () => run(api.portal.updateRole({ params: { person_id }, body: { disabled: false } }), m.enabled(name))

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
      <MenuItem icon={<IconUserCog size={16} aria-hidden="true" />} onClick={() => onAction({ what: 'role', person })}>
        {m.changeRole}
      </MenuItem>
      {status === 'disabled' ? (
        <MenuItem icon={<IconUserCheck size={16} aria-hidden="true" />} onClick={() => void enable()}>
          {m.enable}
        </MenuItem>
      ) : (
        <MenuItem
          icon={<IconUserOff size={16} aria-hidden="true" />}
          onClick={() => onAction({ what: 'disable', person })}
        >
          {m.disable}
        </MenuItem>
      )}
      <MenuItem
        icon={<IconShieldOff size={16} aria-hidden="true" />}
        onClick={() => onAction({ what: 'factors', person })}
      >
        {security.removeFactors}
      </MenuItem>
      <MenuItem
        tone="problem"
        icon={<IconTrash size={16} aria-hidden="true" />}
        onClick={() => onAction({ what: 'remove', person })}
      >
        {m.remove}
      </MenuItem>
    </Menu>
  )
}
