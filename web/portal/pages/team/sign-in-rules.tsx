import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { PortalBody } from '../../../../src/contract/portal/operations.js'
import { Checkbox } from '../../../ui/choices.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { Section } from '../../../ui/section.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { api } from '../../api/client.js'
import { accountSecurityQuery, signInOptionsQuery } from '../../api/queries.js'
import { sessionQuery, useSession } from '../../api/session.js'
import { useMessages } from '../../i18n/messages.js'
import styles from './team.module.css'

/** How the people of the account have to sign in; for admins. */
export function SignInRules({ notify }: { notify(text: string): void }) {
  const m = useMessages().security
  const client = useQueryClient()
  const { signed_in_with } = useSession()
  const { data: rules, error, refetch } = useQuery(accountSecurityQuery())
  const { data: options } = useQuery(signInOptionsQuery())
  const save = useMutation({
    mutationFn: (body: PortalBody<'updateAccountSecurity'>) => api.portal.updateAccountSecurity({ body }),
    async onSuccess(saved, { provider_only }) {
      client.setQueryData(accountSecurityQuery().queryKey, saved)
      if (provider_only === undefined) notify(saved.second_factor_required ? m.requireOn : m.requireOff)
      else notify(saved.provider_only ? m.providerOnlyOn : m.providerOnlyOff)
      // Who has no second factor has to set one up now.
      await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  })
  // Whoever requires the provider has shown that it lets them in.
  const mayRequireProvider = signed_in_with === 'provider' || rules?.provider_only
  return (
    <Section title={m.requireTitle}>
      {!rules && (error ? <ErrorState error={error} retry={() => void refetch()} /> : <Lines count={2} />)}
      {rules && (
        <div className={styles.rules}>
          <Checkbox
            label={m.require}
            description={m.requireText}
            checked={rules.second_factor_required}
            disabled={save.isPending}
            onChange={(event) => save.mutate({ second_factor_required: event.currentTarget.checked })}
          />
          {options && (options.provider || rules.provider_only) && (
            <Checkbox
              label={m.providerOnly(options.provider?.name)}
              description={mayRequireProvider ? m.providerOnlyText : m.providerOnlyUnused}
              checked={rules.provider_only}
              disabled={save.isPending || !mayRequireProvider}
              onChange={(event) => save.mutate({ provider_only: event.currentTarget.checked })}
            />
          )}
        </div>
      )}
      {save.error && <ErrorNotice error={save.error} />}
    </Section>
  )
}
