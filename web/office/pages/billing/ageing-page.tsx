import { useQuery } from '@tanstack/react-query'
import { operatorAddress } from '../../../../src/client/operator-client.js'
import { AppLink } from '../../../ui/app-link.js'
import { BackLink } from '../../../ui/back-link.js'
import { ButtonLink } from '../../../ui/button.js'
import { MoneyText } from '../../../ui/money-text.js'
import { Page } from '../../../ui/page.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { EmptyState, ErrorState, TableSkeleton } from '../../../ui/states.js'
import { receivablesQuery } from '../../api/billing.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'

const ages = ['not_due', 'overdue_1_to_30', 'overdue_31_to_60', 'overdue_61_to_90', 'overdue_beyond_90'] as const

/** What customers owe, by age and currency. */
export function AgeingPage() {
  const { billing: m } = useOfficeMessages()
  const { data, error, refetch } = useQuery(receivablesQuery())
  return (
    <Page
      back={<BackLink path={paths.billing()}>{m.back}</BackLink>}
      title={m.ageing}
      lead={m.ages.lead}
      isLoading={!data && !error}
    >
      {error && !data ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : !data ? (
        <TableSkeleton rows={6} columns={7} />
      ) : data.customers.length === 0 ? (
        <EmptyState title={m.ages.none} text={m.ages.noneText} />
      ) : (
        <PlainTable
          label={m.ageing}
          rows={data.customers}
          rowKey={({ account, currency }) => `${account} ${currency}`}
          columns={[
            {
              id: 'customer',
              header: m.customer,
              isName: true,
              cell: ({ account, account_name }) => (
                <AppLink href={paths.billing({ view: 'open', account })}>{account_name}</AppLink>
              ),
            },
            ...ages.map((age) => ({
              id: age,
              header: m.ages[age],
              align: 'right' as const,
              cell: (row: (typeof data.customers)[number]) =>
                row[age] === 0 ? (
                  <span className="soft">–</span>
                ) : (
                  <MoneyText price={{ amount: row[age], currency: row.currency }} />
                ),
            })),
            {
              id: 'total',
              header: m.ages.total,
              align: 'right',
              cell: ({ total, currency }) => <MoneyText className="strong" price={{ amount: total, currency }} />,
            },
            {
              id: 'unapplied',
              header: m.unapplied,
              align: 'right',
              cell: ({ unapplied, currency }) =>
                unapplied === 0 ? (
                  <span className="soft">–</span>
                ) : (
                  <MoneyText price={{ amount: unapplied, currency }} />
                ),
            },
            {
              id: 'statement',
              header: m.ages.statement,
              isPlain: true,
              align: 'right',
              cell: ({ account, account_name, currency }) => (
                <ButtonLink
                  size="xs"
                  variant="default"
                  target="_blank"
                  aria-label={`${m.ages.statement}: ${account_name} ${currency}`}
                  href={statementAddress(account, currency, data.today)}
                >
                  {m.ages.statement}
                </ButtonLink>
              ),
            },
          ]}
        />
      )}
    </Page>
  )
}

/** From the beginning of the year. */
function statementAddress(account: string, currency: string, today: string): string {
  const query = new URLSearchParams({ currency, from: `${today.slice(0, 4)}-01-01`, to: today })
  return `${operatorAddress('getAccountStatement', { account })}?${query}`
}
