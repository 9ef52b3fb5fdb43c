import { IconDots } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useSession } from '../../../portal/api/session.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { CodeBlock } from '../../../portal/pages/developers/code-block.js'
import team from '../../../portal/pages/team/team.module.css'
import { type Mark, StatusBadge, type Tone } from '../../../ui/badges.js'
import { Button, IconButton } from '../../../ui/button.js'
import { RadioGroup } from '../../../ui/choices.js'
import { ConfirmDialog, Dialog, DialogActions } from '../../../ui/dialog.js'
import { SelectField } from '../../../ui/field.js'
import { Menu, MenuItem } from '../../../ui/menu.js'
import { MomentText } from '../../../ui/moment-text.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { EmptyState } from '../../../ui/states.js'
import { hasDraft, useOpened } from '../../../ui/use-draft.js'
import { useActions } from '../../actions/use-actions.js'
import { useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { useKeys } from '../../layout/keys.js'
import { AccountsDialog } from './accounts-dialog.js'
import { InviteDialog } from './invite-dialog.js'
import styles from './people.module.css'
import type { Invited, LeftKeys, Member, PeopleAccess, Role } from './people-access.js'

type Props = {
  title: string
  people: Member[]
  access: PeopleAccess
  emptyText: string
  /** How many keys that work a person is responsible for. */
  keysOf?: (person: Member) => number
  /** More actions on a person. */
  more?: (person: Member) => ReactNode
}

const looks: Record<Member['status'], [Tone, Mark]> = {
  active: ['done', 'full'],
  invited: ['accent', 'half'],
  disabled: ['planned', 'crossed'],
}

/** People with their roles. What can be undone is done at once; the rest asks. `i` invites. */
export function PeopleSection({ title, people, access, emptyText, keysOf = () => 0, more }: Props) {
  const { team: t, statuses } = useMessages()
  const { people: m } = useOfficeMessages()
  const { run } = useActions()
  const isAdmin = useMayDo('administer')
  const self = useSession().person.person_id
  const [isInviting, setInviting] = useState(() => isAdmin && hasDraft(access.name))
  const [removed, setRemoved] = useState<Member>()
  const [limitedId, setLimited] = useOpened('customers of people')
  const [link, setLink] = useState<{ name: string; link: string }>()
  useKeys({ i: isAdmin ? () => setInviting(true) : undefined })
  const limited = people.find(({ person_id }) => person_id === limitedId)
  const roleNames: Record<Role, string> = { ...statuses.role, ...statuses.operatorRole }

  const setRole = ({ person_id, name, role: before }: Member, role: Role) =>
    run(async () => {
      await access.update(person_id, { role })
      return { text: t.roleChanged(name, roleNames[role]), undo: () => access.update(person_id, { role: before }) }
    })
  const setDisabled = ({ person_id, name }: Member, disabled: boolean) =>
    run(async () => {
      await access.update(person_id, { disabled })
      const undo = () => access.update(person_id, { disabled: !disabled })
      return { text: disabled ? t.disabled(name) : t.enabled(name), undo }
    })
  const invitedBy = ({ name, email, link: shown }: Invited, text: string) => {
    if (shown !== undefined) setLink({ name, link: shown })
    return { text: shown === undefined ? text : m.added(email) }
  }
  const inviteAgain = ({ person_id, email }: Member) =>
    run(async () => invitedBy(await access.inviteAgain(person_id), t.invitedAgain(email)))
  const endSessions = ({ person_id, name }: Member) =>
    run(async () => ({ text: m.sessionsEnded(name, (await access.endSessions?.(person_id))?.sessions ?? 0) }))
  const removeFactors = ({ name, email }: Member) =>
    run(async () => {
      await access.removeFactors?.(email)
      return { text: m.factorsRemoved(name) }
    })

  return (
    <Section
      title={title}
      isBare={people.length > 0}
      aside={
        <Button
          size="xs"
          disabled={!isAdmin}
          title={isAdmin ? undefined : m.adminsOnly}
          onClick={() => setInviting(true)}
        >
          {m.invite} <kbd>i</kbd>
        </Button>
      }
    >
      {people.length === 0 ? (
        <EmptyState title={m.nobody} text={emptyText} />
      ) : (
        <PlainTable
          label={title}
          rows={people}
          rowKey={({ person_id }) => person_id}
          isFaint={({ status }) => status === 'disabled'}
          columns={[
            {
              id: 'name',
              header: t.name,
              isName: true,
              cell: ({ name, email, person_id }) => (
                <span className={team.person}>
                  <span>
                    <span className="strong">{name}</span>
                    {person_id === self && <span className={team.you}>{t.you}</span>}
                  </span>
                  <span className="small soft">{email}</span>
                </span>
              ),
            },
            {
              id: 'role',
              header: t.role,
              cell: (person) =>
                isAdmin ? (
                  <SelectField<Role>
                    size="xs"
                    aria-label={m.roleOf(person.name)}
                    value={person.role}
                    options={access.roles.map((value) => ({ value, label: roleNames[value] }))}
                    onChange={(role) => void setRole(person, role)}
                  />
                ) : (
                  roleNames[person.role]
                ),
            },
            {
              id: 'status',
              header: t.status,
              cell: ({ status }) => (
                <StatusBadge tone={looks[status][0]} mark={looks[status][1]}>
                  {statuses.personStatus[status]}
                </StatusBadge>
              ),
            },
            ...(access.limit
              ? [
                  {
                    id: 'accounts',
                    header: m.worksFor,
                    cell: ({ accounts }: Member) =>
                      accounts === undefined ? (
                        m.allAccounts
                      ) : (
                        <span title={accounts.join(', ')}>{m.count(accounts)}</span>
                      ),
                  },
                ]
              : []),
            {
              id: 'seen',
              header: t.lastSeen,
              cell: ({ last_seen_at }) => <MomentText at={last_seen_at} look="ago" none={t.neverSeen} />,
            },
            {
              id: 'actions',
              header: t.actions,
              isPlain: true,
              align: 'right' as const,
              cell: (person: Member) => (
                <span className={styles.actions}>
                  {more?.(person)}
                  {isAdmin && (
                    <Menu
                      label={t.actionsFor(person.name)}
                      align="end"
                      trigger={(trigger) => (
                        <IconButton {...trigger} aria-label={t.actionsFor(person.name)}>
                          <IconDots size={18} aria-hidden="true" />
                        </IconButton>
                      )}
                    >
                      {person.status === 'invited' && (
                        <MenuItem onClick={() => void inviteAgain(person)}>{t.inviteAgain}</MenuItem>
                      )}
                      {person.status !== 'invited' && (
                        <MenuItem onClick={() => void setDisabled(person, person.status !== 'disabled')}>
                          {person.status === 'disabled' ? t.enable : t.disable}
                        </MenuItem>
                      )}
                      {access.limit && <MenuItem onClick={() => setLimited(person.person_id)}>{m.limit}</MenuItem>}
                      {access.endSessions && (
                        <MenuItem onClick={() => void endSessions(person)}>{m.endSessions}</MenuItem>
                      )}
                      {access.removeFactors && person.status !== 'invited' && (
                        <MenuItem onClick={() => void removeFactors(person)}>{m.removeFactors}</MenuItem>
                      )}
                      <MenuItem tone="problem" onClick={() => setRemoved(person)}>
                        {person.status === 'invited' ? m.revokeInvitation : t.remove}
                      </MenuItem>
                    </Menu>
                  )}
                </span>
              ),
            },
          ]}
        />
      )}
      {isInviting && (
        <InviteDialog
          access={access}
          roleNames={roleNames}
          onClose={() => setInviting(false)}
          onInvited={(invited) => void run(async () => invitedBy(invited, t.invited(invited.email)))}
        />
      )}
      {removed && (
        <RemoveDialog person={removed} keys={keysOf(removed)} access={access} onClose={() => setRemoved(undefined)} />
      )}
      {limited && isAdmin && access.limit && (
        <AccountsDialog
          name={limited.name}
          accounts={limited.accounts}
          onClose={() => setLimited(undefined)}
          save={(accounts) => access.limit?.(limited.person_id, accounts) ?? Promise.resolve()}
        />
      )}
      {link && (
        <Dialog title={m.linkTitle(link.name)} onClose={() => setLink(undefined)} isPersistent>
          <p>{m.linkText}</p>
          <CodeBlock text={link.link} label={m.link} copy={m.copyLink} isProminent />
          <DialogActions>
            <Button onClick={() => setLink(undefined)}>{m.done}</Button>
          </DialogActions>
        </Dialog>
      )}
    </Section>
  )
}

type RemoveProps = { person: Member; keys: number; access: PeopleAccess; onClose: () => void }

function RemoveDialog({ person: { person_id, name, status }, keys, access, onClose }: RemoveProps) {
  const { team: t } = useMessages()
  const { people: m } = useOfficeMessages()
  const { run } = useActions()
  const [choice, setChoice] = useState<LeftKeys>('revoke')
  const isInvited = status === 'invited'
  const act = async () => {
    // A refusal is shown in the dialog.
    await access.remove(person_id, choice)
    await run(async () => ({ text: isInvited ? m.invitationRevoked(name) : t.removed(name) }))
  }
  return (
    <ConfirmDialog
      title={isInvited ? m.revokeTitle(name) : t.removeTitle(name)}
      text={
        <>
          <p>{isInvited ? m.revokeText : t.removeText}</p>
          {keys > 0 && (
            <RadioGroup<LeftKeys>
              label={t.leftKeys(keys)}
              isStacked
              value={choice}
              onChange={setChoice}
              options={[
                { value: 'revoke', label: t.revokeKeys },
                { value: 'hand_over', label: t.takeOverKeys },
              ]}
            />
          )}
        </>
      }
      confirm={isInvited ? m.revokeInvitation : t.remove}
      act={act}
      onClose={onClose}
    />
  )
}
