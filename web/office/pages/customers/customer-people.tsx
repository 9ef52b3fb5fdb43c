import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { stateOf } from '../../../portal/pages/developers/key-state.js'
import { Button } from '../../../ui/button.js'
import { systemTime } from '../../../ui/clock.js'
import { ErrorState, TableSkeleton } from '../../../ui/states.js'
import { useActions } from '../../actions/use-actions.js'
import { accountPeopleQuery, keysQuery, ops, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { customerPeople, type Member } from '../people/people-access.js'
import { PeopleSection } from '../people/people-section.js'

/** The users of a customer. */
export function CustomerPeople({ account }: { account: string }) {
  const { people: m } = useOfficeMessages()
  const { data, error, refetch } = useQuery(accountPeopleQuery(account))
  const { data: keys = [] } = useQuery(keysQuery(account))
  const access = useMemo(() => customerPeople(account), [account])
  if (!data) {
    return error ? <ErrorState error={error} retry={() => void refetch()} /> : <TableSkeleton rows={4} columns={4} />
  }
  const now = systemTime()
  return (
    <PeopleSection
      title={m.title}
      people={data}
      access={access}
      emptyText={m.nobodyText}
      more={(person) => <ViewAs account={account} person={person} />}
      keysOf={({ person_id }) =>
        keys.filter((key) => key.owner === `person:${person_id}` && !['expired', 'revoked'].includes(stateOf(key, now)))
          .length
      }
    />
  )
}

/** Opens the portal as the user sees it, read-only, in another tab. */
function ViewAs({ account, person: { person_id, name, status } }: { account: string; person: Member }) {
  const { people: m } = useOfficeMessages()
  const { run, isBusy } = useActions()
  const mayView = useMayDo('operate')
  if (status === 'disabled') return null
  const view = () =>
    run(async () => {
      const { url } = await ops.startViewing({ params: { account, person_id } })
      window.open(url, '_blank', 'noopener')
      return { text: m.viewing(name) }
    })
  return (
    <Button
      size="xs"
      variant="subtle"
      aria-label={m.viewAsOne(name)}
      disabled={!mayView || isBusy}
      title={mayView ? m.viewAsOne(name) : m.viewingRoles}
      onClick={() => void view()}
    >
      {m.viewAs}
    </Button>
  )
}
