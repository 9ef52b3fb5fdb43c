import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { type Currency, currencies } from '../../../../src/contract/public/shared-types.js'
import type { Shipment } from '../../../../src/contract/public/shipment.js'
import { useReader } from '../../../portal/i18n/messages.js'
import { Button } from '../../../ui/button.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { Field, SelectField } from '../../../ui/field.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { useDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { typedNumber } from '../../actions/typed-number.js'
import { useActions } from '../../actions/use-actions.js'
import { templatesQuery } from '../../api/billing.js'
import { ops } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'

type Props = {
  of: { account: string; svc_shipment_id: string; freight_mode?: Shipment['freight_mode'] | undefined }
  onClose: () => void
}

/** Drafts an invoice of a shipment, from a template of charges or with a first line of one's own; the draft is then edited. */
export function DraftDialog({ of, onClose }: Props) {
  const { billing: m } = useOfficeMessages()
  const { language } = useReader()
  const router = useRouter()
  const { run, isBusy } = useActions()
  const [error, setError] = useState<unknown>()
  const { data: templates } = useQuery(templatesQuery())
  // Those of its freight mode come first.
  const fitting = (templates ?? []).toSorted(
    (one, other) => Number(other.freight_mode === of.freight_mode) - Number(one.freight_mode === of.freight_mode),
  )
  const [chosen, setChosen] = useState<string>()
  const template = chosen ?? fitting[0]?.name ?? ''
  const [line, setLine, drop] = useDraft<{ description: string; amount: string; currency: Currency }>(
    `first line ${of.account} ${of.svc_shipment_id}`,
    { description: '', amount: '', currency: 'EUR' },
  )
  const amount = typedNumber(line.amount, language) ?? 0
  const isComplete =
    template !== '' || (line.description.trim() !== '' && line.amount !== '' && Number.isFinite(amount))
  const { account, svc_shipment_id } = of
  const draft = () => {
    if (template !== '') return ops.draftFromTemplate({ params: { account, svc_shipment_id }, body: { template } })
    const first = { description: line.description.trim(), price: { amount, currency: line.currency } }
    return ops.draftInvoice({ params: { account }, body: { svc_shipment_id, lines: [first] } })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setError(undefined)
    void run(
      async () => {
        const { id } = await draft()
        drop()
        onClose()
        router.history.push(paths.invoice(account, id))
        return { text: m.done.drafted }
      },
      async (refusal) => setError(refusal),
    )
  }
  return (
    <Dialog title={`${m.draftInvoice}: ${svc_shipment_id}`} onClose={onClose}>
      {templates && (
        <form className={actionStyles.form} onSubmit={submit}>
          <SelectField
            label={m.template}
            value={template}
            options={[
              ...fitting.map(({ name }) => ({ value: name, label: name })),
              { value: '', label: m.withoutTemplate },
            ]}
            onChange={setChosen}
          />
          {template === '' && (
            <>
              <Field
                label={m.firstLine}
                maxLength={1000}
                value={line.description}
                onChange={({ currentTarget: { value } }) => setLine({ description: value })}
              />
              <Field
                label={m.net}
                inputMode="decimal"
                value={line.amount}
                error={Number.isNaN(amount) && m.edit.notANumber}
                onChange={({ currentTarget: { value } }) => setLine({ amount: value })}
              />
              <SelectField
                label={m.edit.currency}
                value={line.currency}
                options={currencies.map((value) => ({ value, label: value }))}
                onChange={(currency) => setLine({ currency })}
              />
            </>
          )}
          {error !== undefined && <ErrorNotice error={error} />}
          <DialogActions>
            <Button type="submit" loading={isBusy} disabled={!isComplete}>
              {template === '' ? m.draftInvoice : m.draftFrom}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}
