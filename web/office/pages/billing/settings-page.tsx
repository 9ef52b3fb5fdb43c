import { useQuery } from '@tanstack/react-query'
import { useFormat } from '../../../portal/i18n/format.js'
import { BackLink } from '../../../ui/back-link.js'
import { Page } from '../../../ui/page.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { ActionsContext, useActionState } from '../../actions/use-actions.js'
import { billingSettingsQuery } from '../../api/billing.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { useKeys } from '../../layout/keys.js'
import { paths } from '../../paths.js'
import styles from '../shipment/file.module.css'
import { SettingsForm } from './settings-form.js'
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
