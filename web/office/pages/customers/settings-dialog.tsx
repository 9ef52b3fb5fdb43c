import { type FormEvent, useState } from 'react'
import type { Account } from '../../../../src/contract/operator/accounts.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { Button } from '../../../ui/button.js'
import { Checkbox } from '../../../ui/choices.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { Field } from '../../../ui/field.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { useDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { useActions } from '../../actions/use-actions.js'
import { ops } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'

type Draft = { name: string; second_factor_required: boolean; max_key_days: string; over_shipment_percent: string }

export const settingsDraft = (account: string) => `settings ${account}`

function draftOf({ name, second_factor_required, max_key_days, over_shipment_percent }: Account): Draft {
  return {
    name,
    second_factor_required,
    max_key_days: String(max_key_days ?? ''),
    over_shipment_percent: String(over_shipment_percent ?? 0),
  }
}

function bodyOf({ name, second_factor_required, max_key_days, over_shipment_percent }: Draft) {
  return {
    name: name.trim(),
    second_factor_required,
    max_key_days: max_key_days === '' ? null : Number(max_key_days),
    over_shipment_percent: Number(over_shipment_percent),
  }
}

/** Name and rules of a customer. */
export function SettingsDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const { customers: m } = useOfficeMessages()
  const { common } = useMessages()
  const { run, isBusy } = useActions()
  const [draft, change, drop] = useDraft(settingsDraft(account.slug), draftOf(account))
  const [error, setError] = useState<unknown>()
  const params = { account: account.slug }
  const close = () => {
    drop()
    onClose()
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    void run(
      async () => {
        await ops.updateAccount({ params, body: bodyOf(draft) })
        close()
        return { text: m.done.saved, undo: () => ops.updateAccount({ params, body: bodyOf(draftOf(account)) }) }
      },
      async (refusal) => setError(refusal),
    )
  }
  return (
    <Dialog title={m.settings} onClose={close} isPersistent>
      <form className={actionStyles.form} onSubmit={save}>
        <Field
          label={m.name}
          value={draft.name}
          required
          maxLength={200}
          data-autofocus
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Field
          type="number"
          min={0}
          max={100}
          step="any"
          label={m.toleranceField}
          value={draft.over_shipment_percent}
          required
          onChange={(event) => change({ over_shipment_percent: event.currentTarget.value })}
        />
        <Field
          type="number"
          min={1}
          max={3650}
          label={m.keyDaysField}
          description={m.keyDaysHint}
          value={draft.max_key_days}
          onChange={(event) => change({ max_key_days: event.currentTarget.value })}
        />
        <Checkbox
          label={m.secondFactorField}
          checked={draft.second_factor_required}
          onChange={(event) => change({ second_factor_required: event.currentTarget.checked })}
        />
        {error !== undefined && <ErrorNotice error={error} />}
        <DialogActions>
          <Button variant="default" onClick={close}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={isBusy}>
            {m.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
