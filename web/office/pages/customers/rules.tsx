import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { ExceptionRules, ExceptionSettings } from '../../../../src/contract/operator/exceptions.js'
import { Button } from '../../../ui/button.js'
import { Checkbox } from '../../../ui/choices.js'
import { Field } from '../../../ui/field.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { useDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { useActions } from '../../actions/use-actions.js'
import { accountRulesQuery, forwarderRulesQuery, ops, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import styles from '../shipment/file.module.css'

type Kind = keyof ExceptionSettings['in_force']['kinds']
type Threshold = keyof ExceptionSettings['in_force']['thresholds']
/** What is set here; an absent kind or an empty threshold is inherited. */
type Draft = {
  kinds: Partial<Record<Kind, { enabled?: boolean; shown_to_customers?: boolean }>>
  thresholds: Partial<Record<Threshold, string>>
}

/** The rules for the exceptions of one customer: what differs from those of the forwarder. */
export function CustomerRules({ account }: { account: string }) {
  const { data, error, refetch } = useQuery(accountRulesQuery(account))
  if (!data) return error ? <ErrorState error={error} retry={() => void refetch()} /> : <Lines count={8} />
  const save = (body: ExceptionRules) => ops.setAccountExceptionRules({ params: { account }, body })
  return <RulesForm key={account} name={`rules ${account}`} settings={data} save={save} />
}

/** Those of the forwarder, for all customers. */
export function ForwarderRules() {
  const { data, error, refetch } = useQuery(forwarderRulesQuery())
  if (!data) return error ? <ErrorState error={error} retry={() => void refetch()} /> : <Lines count={8} />
  return <RulesForm name="rules" settings={data} save={(body) => ops.setExceptionRules({ body })} />
}

type Props = { name: string; settings: ExceptionSettings; save: (rules: ExceptionRules) => Promise<unknown> }

function RulesForm({ name, settings, save }: Props) {
  const { rules: m, work, people, customers } = useOfficeMessages()
  const { run, isBusy } = useActions()
  const isAdmin = useMayDo('administer')
  const [draft, change, drop] = useDraft(name, draftOf(settings.settings))
  const [error, setError] = useState<unknown>()
  const kinds = Object.keys(settings.in_force.kinds) as Kind[]
  const thresholds = Object.keys(settings.in_force.thresholds) as Threshold[]
  const stored = draftOf(settings.settings)
  const isChanged = JSON.stringify(rulesOf(draft)) !== JSON.stringify(rulesOf(stored))
  const shownOf = (kind: Kind) => ({ ...settings.in_force.kinds[kind], ...draft.kinds[kind] })
  const setKind = (kind: Kind, set: { enabled?: boolean; shown_to_customers?: boolean }) =>
    change({ kinds: { ...draft.kinds, [kind]: { ...draft.kinds[kind], ...set } } })
  const reset = () => {
    change(stored)
    drop()
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setError(undefined)
    void run(
      async () => {
        await save(rulesOf(draft))
        drop()
        const undo = async () => {
          await save(settings.settings)
          reset()
        }
        return { text: m.saved, undo }
      },
      async (refusal) => setError(refusal),
    )
  }

  return (
    <form className={actionStyles.form} onSubmit={submit}>
      <Section title={m.kinds} isBare>
        <PlainTable
          label={m.kinds}
          rows={kinds}
          rowKey={(kind) => kind}
          columns={[
            { id: 'kind', header: work.kind, isName: true, cell: (kind) => work.kinds[kind] },
            {
              id: 'enabled',
              header: m.enabled,
              cell: (kind) => (
                <Checkbox
                  label={<span className="visually-hidden">{m.enabledOf(work.kinds[kind])}</span>}
                  checked={shownOf(kind).enabled ?? true}
                  disabled={!isAdmin}
                  onChange={(event) => setKind(kind, { enabled: event.currentTarget.checked })}
                />
              ),
            },
            {
              id: 'shown',
              header: m.shown,
              cell: (kind) => (
                <Checkbox
                  label={<span className="visually-hidden">{m.shownOf(work.kinds[kind])}</span>}
                  checked={shownOf(kind).shown_to_customers ?? false}
                  disabled={!isAdmin}
                  onChange={(event) => setKind(kind, { shown_to_customers: event.currentTarget.checked })}
                />
              ),
            },
          ]}
        />
      </Section>
      <Section title={m.thresholds}>
        <p className="soft">{m.thresholdsText}</p>
        <div className={styles.formRow}>
          {thresholds.map((threshold) => (
            <Field
              key={threshold}
              type="number"
              min={0}
              step="any"
              label={m.names[threshold]}
              placeholder={String(settings.in_force.thresholds[threshold] ?? '')}
              value={draft.thresholds[threshold] ?? ''}
              disabled={!isAdmin}
              onChange={(event) =>
                change({ thresholds: { ...draft.thresholds, [threshold]: event.currentTarget.value } })
              }
            />
          ))}
        </div>
      </Section>
      {error !== undefined && <ErrorNotice error={error} />}
      <div className={actionStyles.actions}>
        <Button type="submit" loading={isBusy} disabled={!isAdmin || !isChanged}>
          {customers.save}
        </Button>
        {isChanged && (
          <Button variant="default" onClick={reset}>
            {customers.revert}
          </Button>
        )}
        {!isAdmin && <span className="soft small">{people.adminsOnly}</span>}
      </div>
    </form>
  )
}

function draftOf({ kinds = {}, thresholds = {} }: ExceptionRules): Draft {
  return {
    kinds,
    thresholds: Object.fromEntries(Object.entries(thresholds).map(([name, value]) => [name, String(value)])),
  }
}

function rulesOf({ kinds, thresholds }: Draft): ExceptionRules {
  const set = Object.entries(thresholds).filter(([, value]) => value !== '')
  return {
    ...(Object.keys(kinds).length > 0 && { kinds }),
    ...(set.length > 0 && { thresholds: Object.fromEntries(set.map(([name, value]) => [name, Number(value)])) }),
  }
}
