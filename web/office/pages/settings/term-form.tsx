import { type FormEvent, useState } from 'react'
import {
  type FreeTimeTerm,
  type FreeTimeTermFields,
  startEvents,
  startRules,
  stopEvents,
} from '../../../../src/contract/operator/free-time.js'
import { freeTimeClocks, freeTimeDirections, freeTimeUnits } from '../../../../src/contract/public/free-time.js'
import { faultsByPointer } from '../../../portal/api/client.js'
import { Button } from '../../../ui/button.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { Field, SelectField } from '../../../ui/field.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { useDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { useActions } from '../../actions/use-actions.js'
import { ops, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import styles from '../shipment/file.module.css'

export const newTermDraft = 'term'

const choices = {
  direction: freeTimeDirections,
  clock: freeTimeClocks,
  unit: freeTimeUnits,
  start_event: startEvents,
  start_rule: startRules,
  stop_event: stopEvents,
  after_free: ['calendar', 'working'],
} as const
type Choice = keyof typeof choices
const texts = ['carrier', 'port', 'terminal', 'account', 'contract', 'label', 'source'] as const
const days = ['valid_from', 'valid_to'] as const
type Draft = Record<Choice | (typeof texts)[number] | (typeof days)[number] | 'id' | 'free', string>

const blank: Draft = {
  ...(Object.fromEntries([...texts, ...days].map((name) => [name, ''])) as Draft),
  id: '',
  free: '7',
  direction: 'import',
  clock: 'demurrage',
  unit: 'calendar_days',
  start_event: 'DISCHARGED',
  start_rule: 'next_day',
  stop_event: 'GATE_OUT',
  after_free: 'calendar',
}

function draftOf(term: FreeTimeTerm): Draft {
  const stored = term as unknown as Record<string, string | number | undefined>
  const known = Object.keys(blank).map((name) => [name, String(stored[name] ?? '')])
  return Object.fromEntries(known) as Draft
}

/** What the form has no fields for, such as tiers and equipment, stays as it is. */
function bodyOf({ id: _id, free, ...draft }: Draft, term: FreeTimeTerm | undefined): FreeTimeTermFields {
  const { id: _of, recorded_at: _at, recorded_by: _by, ...kept } = term ?? ({} as Partial<FreeTimeTerm>)
  const cleared = Object.fromEntries(Object.entries(kept).filter(([name]) => !(name in blank)))
  const given = Object.entries(draft).filter(([, value]) => value !== '')
  return { ...cleared, ...Object.fromEntries(given), free: Number(free) } as FreeTimeTermFields
}

/** Adds or edits a term, or removes it. */
export function TermForm({ term, onClose }: { term: FreeTimeTerm | undefined; onClose: () => void }) {
  const { settings: m, customers } = useOfficeMessages()
  const mayOperate = useMayDo('operate')
  const { run, isBusy } = useActions()
  const name = term ? `term ${term.id}` : newTermDraft
  const [draft, change, drop] = useDraft(name, term ? draftOf(term) : blank)
  const [error, setError] = useState<unknown>()
  const faults = faultsByPointer(error)
  const close = () => {
    drop()
    onClose()
  }
  const setTerm = (id: string, body: FreeTimeTermFields) => ops.setFreeTimeTerm({ params: { term_id: id }, body })
  const restore = () => (term ? setTerm(term.id, bodyOf(draftOf(term), term)) : undefined)
  const save = (event: FormEvent) => {
    event.preventDefault()
    setError(undefined)
    const id = draft.id.trim()
    void run(
      async () => {
        await setTerm(id, bodyOf(draft, term))
        close()
        const undo = async () => {
          if (!term) await ops.removeFreeTimeTerm({ params: { term_id: id } })
          else await restore()
        }
        return { text: m.termSaved(id), undo }
      },
      async (refusal) => setError(refusal),
    )
  }
  const remove = (id: string) =>
    run(async () => {
      await ops.removeFreeTimeTerm({ params: { term_id: id } })
      close()
      return { text: m.termRemoved(id), undo: async () => void (await restore()) }
    })
  const field = (each: (typeof texts)[number] | (typeof days)[number] | 'id' | 'free') => ({
    label: each === 'id' ? m.term : m.fields[each],
    value: draft[each],
    error: faults[`/${each}`],
    disabled: !mayOperate || (each === 'id' && term !== undefined),
    onChange: (event: { currentTarget: { value: string } }) => change({ [each]: event.currentTarget.value }),
  })
  return (
    <Dialog title={term ? term.id : m.addTerm} onClose={close} isPersistent isWide>
      <form className={actionStyles.form} onSubmit={save}>
        <div className={styles.formRow}>
          <Field {...field('id')} required maxLength={100} data-autofocus={!term || undefined} />
          <Field {...field('free')} type="number" min={0} max={1000} required />
          {(Object.keys(choices) as Choice[]).map((each) => (
            <SelectField
              key={each}
              label={m.fields[each]}
              value={draft[each]}
              options={choices[each].map((value) => ({
                value: value as string,
                label: m.values[value],
              }))}
              onChange={(value) => change({ [each]: value })}
            />
          ))}
          {texts.map((each) => (
            <Field key={each} {...field(each)} maxLength={1000} />
          ))}
          {days.map((each) => (
            <Field key={each} {...field(each)} type="date" />
          ))}
        </div>
        {term?.tiers && <p className="soft small">{m.tiersKept(term.tiers.length)}</p>}
        {error !== undefined && Object.keys(faults).length === 0 && <ErrorNotice error={error} />}
        <DialogActions>
          {term && (
            <Button variant="default" color="red" disabled={!mayOperate || isBusy} onClick={() => void remove(term.id)}>
              {m.remove}
            </Button>
          )}
          <Button
            type="submit"
            loading={isBusy}
            disabled={!mayOperate}
            title={mayOperate ? undefined : m.operationsOnly}
          >
            {customers.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
