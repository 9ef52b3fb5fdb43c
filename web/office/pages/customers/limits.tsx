import { type FormEvent, useState } from 'react'
import type { Account } from '../../../../src/contract/operator/accounts.js'
import { type QuotaName, type QuotasUpdate, quotaNames } from '../../../../src/contract/operator/quotas.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { Button } from '../../../ui/button.js'
import { Field } from '../../../ui/field.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { Section } from '../../../ui/section.js'
import { useDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { useActions } from '../../actions/use-actions.js'
import { ops, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import styles from '../shipment/file.module.css'

type Draft = Record<QuotaName, string>

const draftOf = ({ quotas }: Account) =>
  Object.fromEntries(quotaNames.map((name) => [name, quotas[name] === undefined ? '' : String(quotas[name])])) as Draft

const quotasOf = (draft: Draft): QuotasUpdate =>
  Object.fromEntries(quotaNames.map((name) => [name, draft[name] === '' ? null : Number(draft[name])]))

/** What a customer may use. An empty field is the limit of the service, 0 is none. They are in force at once. */
export function Limits({ account }: { account: Account }) {
  const { customers: m, people } = useOfficeMessages()
  const f = useFormat()
  const { run, isBusy } = useActions()
  const isAdmin = useMayDo('administer')
  const [draft, change, drop] = useDraft<Draft>(`limits ${account.slug}`, draftOf(account))
  const [error, setError] = useState<unknown>()
  const params = { account: account.slug }
  const set = (quotas: QuotasUpdate) => ops.updateAccount({ params, body: { quotas } })
  const stored = draftOf(account)
  const isChanged = quotaNames.some((name) => draft[name] !== stored[name])
  const used: Partial<Record<QuotaName, number>> = {
    stored_bytes: account.stored_bytes,
    documents: account.counts.documents,
  }

  const save = (event: FormEvent) => {
    event.preventDefault()
    setError(undefined)
    void run(
      async () => {
        await set(quotasOf(draft))
        drop()
        const undo = async () => {
          await set(quotasOf(stored))
          change(stored)
          drop()
        }
        return { text: m.done.limits, undo }
      },
      async (refusal) => setError(refusal),
    )
  }

  return (
    <Section title={m.limits}>
      <form className={actionStyles.form} onSubmit={save}>
        <p className="soft">{m.limitsText}</p>
        <div className={styles.formRow}>
          {quotaNames.map((name) => (
            <Field
              key={name}
              type="number"
              min={0}
              step={1}
              label={m.quotas[name]}
              placeholder={m.ofService}
              description={
                used[name] === undefined
                  ? undefined
                  : m.used(name === 'stored_bytes' ? f.bytes(used[name] ?? 0) : f.number(used[name] ?? 0))
              }
              value={draft[name]}
              disabled={!isAdmin}
              onChange={(event) => change({ [name]: event.currentTarget.value })}
            />
          ))}
        </div>
        {error !== undefined && <ErrorNotice error={error} />}
        <div className={actionStyles.actions}>
          <Button
            type="submit"
            loading={isBusy}
            disabled={!isAdmin || !isChanged}
            title={isAdmin ? undefined : people.adminsOnly}
          >
            {m.save}
          </Button>
          {isChanged && (
            <Button
              variant="default"
              onClick={() => {
                change(stored)
                drop()
              }}
            >
              {m.revert}
            </Button>
          )}
          {!isAdmin && <span className="soft small">{people.adminsOnly}</span>}
        </div>
      </form>
    </Section>
  )
}
