import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Checkbox } from '../../../ui/choices.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { Section } from '../../../ui/section.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { api } from '../../api/client.js'
import { accountSecurityQuery } from '../../api/queries.js'
import { sessionQuery } from '../../api/session.js'
import { useMessages } from '../../i18n/messages.js'

/** How the people of the account have to sign in; for admins. */
export function SignInRules({ notify }: { notify(text: string): void }) {
  const m = useMessages().security
  const client = useQueryClient()
  const { data: rules, error, refetch } = useQuery(accountSecurityQuery())
  const save = useMutation({
    mutationFn: (second_factor_required: boolean) =>
      api.portal.updateAccountSecurity({ body: { second_factor_required } }),
    async onSuccess(saved) {
      client.setQueryData(accountSecurityQuery().queryKey, saved)
      notify(saved.second_factor_required ? m.requireOn : m.requireOff)
      // Who has no second factor has to set one up now.
      await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  })
  return (
    <Section title={m.requireTitle}>
      {!rules && (error ? <ErrorState error={error} retry={() => void refetch()} /> : <Lines count={2} />)}
      {rules && (
        <Checkbox
          label={m.require}
          description={m.requireText}
          checked={rules.second_factor_required}
          disabled={save.isPending}
          onChange={(event) => save.mutate(event.currentTarget.checked)}
        />
      )}
      {save.error && <ErrorNotice error={save.error} />}
    </Section>
  )
}
