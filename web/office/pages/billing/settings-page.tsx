import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type BillingSettings, checkNames } from '../../../../src/contract/billing.js'
import { currencies } from '../../../../src/contract/public/shared-types.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { BackLink } from '../../../ui/back-link.js'
import { Button } from '../../../ui/button.js'
import { Checkbox } from '../../../ui/choices.js'
import { Field, SelectField } from '../../../ui/field.js'
import { Page } from '../../../ui/page.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { ActionsContext, useActionState, useActions } from '../../actions/use-actions.js'
import { billingSettingsQuery } from '../../api/billing.js'
import { ops, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { useKeys } from '../../layout/keys.js'
import { paths } from '../../paths.js'
import styles from '../shipment/file.module.css'
import { Templates } from './templates.js'

/** Seller, bank, taxes, checks, number series and templates of charges. */
export function BillingSettingsPage() {
  const { billing: m } = useOfficeMessages()
  const f = useFormat()
  const { data, error, refetch } = useQuery(billingSettingsQuery())
  const { actions, outcome } = useActionState()
  useKeys({ z: actions.undo })
  return (
    <ActionsContext value={actions}>
      <Page
        back={<BackLink path={paths.billing()}>{m.back}</BackLink>}
        title={m.settings}
        lead={m.set.lead}
        isLoading={!data && !error}
      >
        {outcome}
        {data ? (
          <div className={styles.column}>
            <SettingsForm settings={data.settings} />
            <Templates />
            {data.series.length > 0 && (
              <Section title={m.set.series} isBare>
                <PlainTable
                  label={m.set.series}
                  rows={data.series}
                  rowKey={({ series, year }) => `${series} ${year}`}
                  columns={[
                    {
                      id: 'series',
                      header: m.set.series,
                      isName: true,
                      cell: ({ series, year }) => `${series}-${year}`,
                    },
                    { id: 'last', header: m.set.last, align: 'right', cell: ({ last }) => f.number(last) },
                    {
                      id: 'date',
                      header: m.set.lastDate,
                      cell: ({ last_date }) => (last_date === undefined ? '–' : f.day(last_date)),
                    },
                  ]}
                />
              </Section>
            )}
          </div>
        ) : error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : (
          <Lines count={8} />
        )}
      </Page>
    </ActionsContext>
  )
}

type Texts = Record<
  'name' | 'address' | 'country' | 'vatNumber' | 'registration' | 'iban' | 'bic' | 'days' | 'rate' | 'zone',
  string
>

function textsOf({ seller, bank, terms, standard_rate, time_zone }: BillingSettings): Texts {
  return {
    name: seller?.name ?? '',
    address: seller?.address?.join(', ') ?? '',
    country: seller?.country ?? '',
    vatNumber: seller?.vat_number ?? '',
    registration: seller?.registration ?? '',
    iban: bank?.iban ?? '',
    bic: bank?.bic ?? '',
    days: terms === undefined ? '' : String(terms.days),
    rate: standard_rate === undefined ? '' : String(standard_rate),
    zone: time_zone ?? '',
  }
}

/** What the form does not show stays as it is. */
function settingsOf(before: BillingSettings, texts: Texts): BillingSettings {
  const { name, address, country, vatNumber, registration, iban, bic, days, rate, zone } = texts
  const { seller: _seller, bank, terms, standard_rate: _rate, time_zone: _zone, ...rest } = before
  const lines = address
    .split(',')
    .map((line) => line.trim())
    .filter(Boolean)
  const seller = {
    ...(name && { name }),
    ...(lines.length > 0 && { address: lines }),
    ...(country && { country: country.toUpperCase() }),
    ...(vatNumber && { vat_number: vatNumber }),
    ...(registration && { registration }),
  }
  const { bic: _bic, ...account } = bank ?? { iban: '' }
  return {
    ...rest,
    ...(Object.keys(seller).length > 0 && { seller }),
    ...(iban && { bank: { ...account, iban, ...(bic && { bic }) } }),
    ...(days && { terms: { ...terms, days: Number(days) } }),
    ...(rate && { standard_rate: Number(rate) }),
    ...(zone && { time_zone: zone }),
  }
}

function SettingsForm({ settings }: { settings: BillingSettings }) {
  const { billing: m } = useOfficeMessages()
  const { run, isBusy } = useActions()
  const isAdmin = useMayDo('administer')
  const [texts, setTexts] = useState(() => textsOf(settings))
  const [other, setOther] = useState(settings)
  const save = (event: FormEvent) => {
    event.preventDefault()
    void run(async () => {
      await ops.setBillingSettings({ body: settingsOf(other, texts) })
      return { text: m.done.saved, undo: () => ops.setBillingSettings({ body: settings }) }
    })
  }
  const field = (name: keyof Texts) => (
    <Field
      label={m.set[name]}
      value={texts[name]}
      readOnly={!isAdmin}
      onChange={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
    />
  )
  const { accounting_currency: currency, language = 'en', checks = {} } = other
  return (
    <form onSubmit={save} className={styles.column}>
      <Section title={m.set.seller}>
        <div className={styles.formRow}>
          {field('name')}
          {field('address')}
          {field('country')}
          {field('vatNumber')}
          {field('registration')}
        </div>
      </Section>
      <Section title={m.set.bank}>
        <div className={styles.formRow}>
          {field('iban')}
          {field('bic')}
        </div>
      </Section>
      <Section title={m.set.terms}>
        <div className={styles.formRow}>
          {field('days')}
          {field('rate')}
          {field('zone')}
          <SelectField
            label={m.set.currency}
            value={currency ?? ''}
            options={[{ value: '', label: '–' }, ...currencies.map((value) => ({ value, label: value }))]}
            onChange={(value) => {
              const { accounting_currency: _currency, rates: _rates, ...rest } = other
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
      </Section>
      <Section title={m.set.checks}>
        <div className={styles.formRow}>
          {checkNames.map((check) => (
            <SelectField
              key={check}
              label={m.checkNames[check]}
              value={checks[check] ?? 'warn'}
              options={(['off', 'warn', 'block'] as const).map((value) => ({ value, label: m.set.severities[value] }))}
              onChange={(value) => setOther({ ...other, checks: { ...checks, [check]: value } })}
            />
          ))}
        </div>
      </Section>
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
