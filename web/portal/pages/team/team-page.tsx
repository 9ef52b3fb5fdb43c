import { IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/button.js'
import { useNotice } from '../../../ui/notice.js'
import { Page } from '../../../ui/page.js'
import { Section } from '../../../ui/section.js'
import { ErrorState, TableSkeleton } from '../../../ui/states.js'
import { hasDraft } from '../../../ui/use-draft.js'
import { peopleQuery } from '../../api/queries.js'
import { useMay, useSession } from '../../api/session.js'
import { useMessages } from '../../i18n/messages.js'
import { InviteDialog, invitationDraft } from './invite-dialog.js'
import { People } from './people.js'
import { type PersonAction, PersonDialog } from './person-dialogs.js'
import { roles } from './roles.js'
import { SignInRules } from './sign-in-rules.js'
import styles from './team.module.css'

export function TeamPage() {
  const { team: m } = useMessages()
  const { account } = useSession()
  const mayAdminister = useMay('administer')
  const { data: people, error, refetch } = useQuery(peopleQuery())
  const [isInviting, setInviting] = useState(() => mayAdminister && hasDraft(invitationDraft))
  const [action, setAction] = useState<PersonAction>()
  const [notice, notify] = useNotice()

  return (
    <Page
      title={m.title}
      lead={people && m.lead(account.name, people.filter(({ status }) => status !== 'disabled').length)}
      isLoading={!people && !error}
      actions={
        mayAdminister && (
          <Button leftSection={<IconUserPlus size={16} aria-hidden="true" />} onClick={() => setInviting(true)}>
            {m.invite}
          </Button>
        )
      }
    >
      {notice}
      {!people &&
        (error ? (
          <div className="panel">
            <ErrorState error={error} retry={() => void refetch()} />
          </div>
        ) : (
          <TableSkeleton rows={4} columns={5} />
        ))}
      {people && <People people={people} notify={notify} {...(mayAdminister && { onAction: setAction })} />}
      <Roles mayAdminister={mayAdminister} />
      {mayAdminister && <SignInRules notify={notify} />}
      {isInviting && <InviteDialog onClose={() => setInviting(false)} notify={notify} />}
      {action && people && (
        <PersonDialog action={action} people={people} onClose={() => setAction(undefined)} notify={notify} />
      )}
    </Page>
  )
}

function Roles({ mayAdminister }: { mayAdminister: boolean }) {
  const { team: m, statuses } = useMessages()
  return (
    <Section title={m.rolesTitle} aside={mayAdminister ? undefined : m.adminsOnly}>
      <dl className={styles.roles}>
        {roles.map((role) => (
          <div key={role}>
            <dt>{statuses.role[role]}</dt>
            <dd>{m.roleTexts[role]}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
