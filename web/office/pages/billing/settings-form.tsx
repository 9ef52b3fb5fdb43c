import { type FormEvent, useState } from 'react'
import { type BillingSettings, checkNames } from '../../../../src/contract/billing.js'
import { currencies } from '../../../../src/contract/public/shared-types.js'
import { faultsByPointer } from '../../../portal/api/client.js'
import { useReader } from '../../../portal/i18n/messages.js'
import { Button } from '../../../ui/button.js'
import { Checkbox } from '../../../ui/choices.js'
import { Field, FieldFrame, SelectField } from '../../../ui/field.js'
import fields from '../../../ui/field.module.css'
import { ErrorNotice } from '../../../ui/notice.js'
import { Section } from '../../../ui/section.js'
import { useDraft } from '../../../ui/use-draft.js'
import { useActions } from '../../actions/use-actions.js'
import { ops, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import styles from '../shipment/file.module.css'
import { type RateRow, Rates, rateRowsOf, ratesOf } from './rates.js'
import { type SettingsTexts, settingsOf, textsOf } from './settings-draft.js'

/** Where the server reports a fault of each field. */
const pointers: Record<keyof SettingsTexts, string> = {
  name: '/seller/name',
  address: '/seller/address',
  country: '/seller/country',
  vatNumber: '/seller/vat_number',
  registration: '/seller/registration',
  iban: '/bank/iban',
  bic: '/bank/bic',
  holder: '/bank/holder',
  days: '/terms/days',
  rate: '/standard_rate',
  zone: '/time_zone',
  invoicePrefix: '/number_prefixes/invoice',
  notePrefix: '/number_prefixes/credit_note',
}

type Draft = { texts: SettingsTexts; other: BillingSettings; rates: RateRow[] }

/** The forwarder's settings. What is typed survives a reload. */
export function SettingsForm({ settings }: { settings: BillingSettings }) {
  const { billing: m } = useOfficeMessages()
  const { language: reader } = useReader()
  const { run, isBusy } = useActions()
  const isAdmin = useMayDo('administer')
  const [draft, change, drop] = useDraft<Draft>('billing settings', {
    texts: textsOf(settings),
    other: settings,
    rates: rateRowsOf(settings),
  })
  const { texts, other, rates } = draft
  const setOther = (next: BillingSettings) => change({ other: next })
  const [error, setError] = useState<unknown>()
  const faults = faultsByPointer(error)
  const save = (event: FormEvent) => {
    event.preventDefault()
    setError(undefined)
    void run(
      async () => {
        await ops.setBillingSettings({
          body: { ...settingsOf(other, texts, reader), ...ratesOf(rates, other, reader) },
        })
        drop()
        return { text: m.done.saved, undo: () => ops.setBillingSettings({ body: settings }) }
      },
      async (refusal) => setError(refusal),
    )
  }
  const hints: Partial<SettingsTexts> = {
    holder: m.set.holderHint,
    invoicePrefix: m.set.prefixHint('INV'),
    notePrefix: m.set.prefixHint('CN'),
  }
  const field = (name: keyof SettingsTexts) => (
    <Field
      label={m.set[name]}
      value={texts[name]}
      readOnly={!isAdmin}
      description={hints[name]}
      error={faults[pointers[name]]}
      onChange={(event) => change({ texts: { ...texts, [name]: event.currentTarget.value } })}
    />
  )
  const { accounting_currency: currency, language = 'en', checks = {} } = other
  return (
    <form onSubmit={save} className={styles.column}>
      <Section title={m.set.seller}>
        <div className={styles.formRow}>
          {field('name')}
          <FieldFrame
            label={m.set.address}
            error={Object.entries(faults).find(([at]) => at.startsWith(pointers.address))?.[1]}
          >
            {(control) => (
              <textarea
                {...control}
                className={fields.control}
                rows={3}
                readOnly={!isAdmin}
                value={texts.address}
                onChange={(event) => change({ texts: { ...texts, address: event.currentTarget.value } })}
              />
            )}
          </FieldFrame>
          {field('country')}
          {field('vatNumber')}
          {field('registration')}
        </div>
      </Section>
      <Section title={m.set.bank}>
        <div className={styles.formRow}>
          {field('iban')}
          {field('bic')}
          {field('holder')}
        </div>
      </Section>
      <Section title={m.set.terms}>
        <fieldset className={styles.group} disabled={!isAdmin}>
          <div className={styles.formRow}>
            {field('days')}
            <SelectField
              label={m.set.from}
              value={other.terms?.from ?? 'invoice_date'}
              options={(['invoice_date', 'end_of_month'] as const).map((value) => ({
                value,
                label: m.customerBilling.froms[value],
              }))}
              onChange={(from) => setOther({ ...other, terms: { days: Number(texts.days), ...other.terms, from } })}
            />
            {field('rate')}
            {field('zone')}
            {field('invoicePrefix')}
            {field('notePrefix')}
            <SelectField
              label={m.set.currency}
              value={currency ?? ''}
              options={[{ value: '', label: '–' }, ...currencies.map((value) => ({ value, label: value }))]}
              onChange={(value) => {
                const { accounting_currency: _currency, ...rest } = other
                const chosen = currencies.find((each) => each === value)
                setOther(chosen === undefined ? rest : { ...other, accounting_currency: chosen })
              }}
            />
            <SelectField
              label={m.set.language}
              value={language}
              options={[
                { value: 'en', label: 'English' },
                { value: 'fr', label: 'Français' },
              ]}
              onChange={(value) => setOther({ ...other, language: value })}
            />
            <Checkbox
              label={m.set.only}
              checked={other.credit_and_reissue_only ?? true}
              onChange={() => setOther({ ...other, credit_and_reissue_only: !(other.credit_and_reissue_only ?? true) })}
            />
          </div>
        </fieldset>
      </Section>
      <Section title={m.set.rates}>
        <fieldset className={styles.group} disabled={!isAdmin}>
          <Rates
            currency={currency}
            rows={rates}
            faults={faults}
            isReadOnly={!isAdmin}
            onChange={(next) => change({ rates: next })}
          />
        </fieldset>
      </Section>
      <Section title={m.set.checks}>
        <fieldset className={styles.group} disabled={!isAdmin}>
          <div className={styles.formRow}>
            {checkNames.map((check) => (
              <SelectField
                key={check}
                label={m.checkNames[check]}
                value={checks[check] ?? 'warn'}
                options={(['off', 'warn', 'block'] as const).map((value) => ({
                  value,
                  label: m.set.severities[value],
                }))}
                onChange={(value) => setOther({ ...other, checks: { ...checks, [check]: value } })}
              />
            ))}
          </div>
        </fieldset>
      </Section>
      {error !== undefined && <ErrorNotice error={error} />}
      {isAdmin ? (
        <div>
          <Button type="submit" loading={isBusy}>
            {m.set.save}
          </Button>
        </div>
      ) : (
        <p className="soft">{m.set.adminOnly}</p>
      )}
    </form>
  )
}
