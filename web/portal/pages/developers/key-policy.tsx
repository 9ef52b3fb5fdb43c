import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { SelectField } from '../../../ui/field.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { Section } from '../../../ui/section.js'
import { api } from '../../api/client.js'
import { keyPolicyQuery } from '../../api/queries.js'
import { useDeveloperMessages } from '../../i18n/developers.js'
import styles from './developers.module.css'

const choices = ['none', '30', '90', '180', '365'] as const
type Choice = string

/** The rule for new keys, for admins. */
export function KeyPolicy({ notify }: { notify(text: string): void }) {
  const m = useDeveloperMessages()
  const client = useQueryClient()
  const { data: policy } = useQuery(keyPolicyQuery())
  const [error, setError] = useState<unknown>()
  if (!policy) return null
  const value: Choice = policy.max_days === undefined ? 'none' : String(policy.max_days)
  // A rule that was set elsewhere may have another number of days.
  const values: Choice[] = (choices as readonly string[]).includes(value) ? [...choices] : [...choices, value]
  const save = async (next: Choice) => {
    try {
      setError(undefined)
      await api.portal.updateKeyPolicy({ body: next === 'none' ? {} : { max_days: Number(next) } })
      await client.invalidateQueries({ queryKey: keyPolicyQuery().queryKey })
      notify(m.policySaved)
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <Section title={m.policy}>
      <SelectField<Choice>
        className={styles.policy}
        label={m.policyLabel}
        description={m.policyText}
        value={value}
        onChange={(next) => void save(next)}
        options={values.map((each) => ({
          value: each,
          label: each === 'none' ? m.policyNone : m.policyDays(Number(each)),
        }))}
      />
      {error !== undefined && <ErrorNotice error={error} />}
    </Section>
  )
}
