import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type AccountBilling, type Language, taxCategories } from '../../../../src/contract/billing.js'
import { faultsByPointer } from '../../../portal/api/client.js'
import { Button } from '../../../ui/button.js'
import { Field, FieldFrame, SelectField } from '../../../ui/field.js'
import fieldStyles from '../../../ui/field.module.css'
import { ErrorNotice } from '../../../ui/notice.js'
import { Section } from '../../../ui/section.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { useDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { useActions } from '../../actions/use-actions.js'
import { accountBillingQuery, billingSettingsQuery } from '../../api/billing.js'
import { ops, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import styles from '../shipment/file.module.css'
import { type BillingDraft, billingDraftOf, billingOf } from './billing-draft.js'
import { UnappliedPayments } from './unapplied-payments.js'

/** Address, taxes and terms of a customer, and what it has paid beyond what it owes. */
export function CustomerBilling({ account }: { account: string }) {
  const { data, error, refetch } = useQuery(accountBillingQuery(account))
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Lines count={6} />
  return (
    <>
      <BillingForm key={account} account={account} settings={data.settings} />
      <UnappliedPayments account={account} payments={data.unapplied_payments} />
    </>
  )
}

function BillingForm({ account, settings }: { account: string; settings: AccountBilling }) {
  const { billing: m } = useOfficeMessages()
  const { run, isBusy } = useActions()
  const mayInvoice = useMayDo('invoice')
  const { data: forwarder } = useQuery(billingSettingsQuery())
  const stored = billingDraftOf(settings)
  const [draft, change, drop] = useDraft<BillingDraft>(`billing ${account}`, stored)
  const [error, setError] = useState<unknown>()
  const faults = faultsByPointer(error)
  const isChanged = JSON.stringify(draft) !== JSON.stringify(stored)
  const params = { account }
  const save = (event: FormEvent) => {
    event.preventDefault()
    setError(undefined)
    void run(
      async () => {
        const saved = await ops.setAccountBilling({ params, body: billingOf(draft) })
        // As stored: country codes in capitals, no blank lines.
        change(billingDraftOf(saved.settings))
        drop()
        const undo = async () => {
          await ops.setAccountBilling({ params, body: settings })
          change(stored)
          drop()
        }
        return { text: m.done.saved, undo }
      },
      async (refusal) => setError(refusal),
    )
  }
  const shownFaults = new Set<string>()
  const faultAt = (at: string) => {
    if (faults[at] !== undefined) shownFaults.add(at)
    return faults[at]
  }
  const text = (name: 'name' | 'country' | 'vatNumber' | 'registration', at: string) => (
    <Field
      label={m.set[name]}
      value={draft[name]}
      readOnly={!mayInvoice}
      error={faultAt(`/buyer/${at}`)}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    />
  )
  const days = forwarder?.settings.terms?.days
  const choices = <Value extends string>(values: readonly Value[], labels: Record<Value, string>) => [
    { value: '' as Value | '', label: m.customerBilling.asForEveryone },
    ...values.map((value) => ({ value: value as Value | '', label: labels[value] })),
  ]
  const form = (
    <>
      <Section title={m.customerBilling.buyer}>
        <p className="soft">{m.customerBilling.lead}</p>
        <div className={styles.formRow}>
          {text('name', 'name')}
          <FieldFrame label={m.customerBilling.addressLines} error={faultAt('/buyer/address')}>
            {(control) => (
              <textarea
                {...control}
                className={fieldStyles.control}
                rows={3}
                readOnly={!mayInvoice}
                value={draft.address}
                onChange={(event) => change({ address: event.currentTarget.value })}
              />
            )}
          </FieldFrame>
          {text('country', 'country')}
          {text('vatNumber', 'vat_number')}
          {text('registration', 'registration')}
        </div>
      </Section>
      <Section title={m.customerBilling.terms}>
        <fieldset disabled={!mayInvoice} className={styles.group}>
          <div className={styles.formRow}>
            <Field
              label={m.set.days}
              type="number"
              min={0}
              max={365}
              description={days === undefined ? m.customerBilling.noTermsHint : m.customerBilling.termsHint(days)}
              value={draft.days}
              error={faultAt('/terms/days')}
              onChange={(event) => change({ days: event.currentTarget.value })}
            />
            <SelectField
              label={m.customerBilling.from}
              value={draft.from}
              options={(['invoice_date', 'end_of_month'] as const).map((value) => ({
                value,
                label: m.customerBilling.froms[value],
              }))}
              onChange={(from) => change({ from })}
            />
            <SelectField
              label={m.customerBilling.taxCategory}
              value={draft.tax}
              options={choices(taxCategories, m.taxCategories)}
              onChange={(tax) => change({ tax })}
            />
            <SelectField
              label={m.set.language}
              value={draft.language}
              options={choices<Language>(['en', 'fr'], { en: 'English', fr: 'Français' })}
              onChange={(language) => change({ language })}
            />
            <SelectField
              label={m.customerBilling.only}
              value={draft.only}
              options={choices<'true' | 'false'>(['true', 'false'], m.customerBilling.onlys)}
              onChange={(only) => change({ only })}
            />
          </div>
        </fieldset>
      </Section>
    </>
  )
  return (
    <form className={styles.column} onSubmit={save}>
      {form}
      {error !== undefined && shownFaults.size === 0 && <ErrorNotice error={error} />}
      {mayInvoice ? (
        <div className={actionStyles.actions}>
          <Button type="submit" loading={isBusy} disabled={!isChanged}>
            {m.customerBilling.save}
          </Button>
          {isChanged && (
            <Button
              variant="default"
              onClick={() => {
                change(stored)
                drop()
              }}
            >
              {m.customerBilling.revert}
            </Button>
          )}
        </div>
      ) : (
        <p className="soft">{m.customerBilling.financeOnly}</p>
      )}
    </form>
  )
}
