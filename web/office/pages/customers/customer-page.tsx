import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import lists from '../../../portal/pages/lists.module.css'
import { useAddressQuery } from '../../../ui/address-query.js'
import { BackLink } from '../../../ui/back-link.js'
import { StatusBadge } from '../../../ui/badges.js'
import { ButtonLink } from '../../../ui/button.js'
import { Page } from '../../../ui/page.js'
import { SegmentedControl } from '../../../ui/segmented-control.js'
import { EmptyState, ErrorState, Lines } from '../../../ui/states.js'
import { ActionsContext, useActionState } from '../../actions/use-actions.js'
import { accountQuery, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { useKeys } from '../../layout/keys.js'
import { paths } from '../../paths.js'
import { OfficeAudit } from '../audit/office-audit.js'
import styles from '../shipment/file.module.css'
import { CustomerBilling } from './customer-billing.js'
import { CustomerKeys } from './customer-keys.js'
import { CustomerOverview } from './customer-overview.js'
import { CustomerPeople } from './customer-people.js'
import { Limits } from './limits.js'
import { CustomerRules } from './rules.js'

const shows = ['overview', 'people', 'billing', 'keys', 'limits', 'rules', 'log'] as const
type Show = (typeof shows)[number]

const read = ({ show }: Record<string, string>): { show?: Show } => {
  const known = shows.find((each) => each === show)
  return known ? { show: known } : {}
}

/** One customer: overview, people, billing, keys, limits, rules for exceptions and audit log. The shown part is in the address. */
export function CustomerPage() {
  const { account } = useParams({ strict: false }) as { account: string }
  const { customers: m } = useOfficeMessages()
  const { data, error, refetch } = useQuery(accountQuery(account))
  const { actions, outcome } = useActionState()
  const [{ show = 'overview' }, change] = useAddressQuery(read)
  const isAdmin = useMayDo('administer')
  const go = (to: Show) => change({ show: to === 'overview' ? undefined : to }, { replace: false })
  useKeys({
    z: actions.undo,
    ...Object.fromEntries(shows.map((each, index) => [String(index + 1), () => go(each)])),
  })
  return (
    <ActionsContext value={actions}>
      <Page
        back={<BackLink path={paths.customers()}>{m.back}</BackLink>}
        title={data?.name ?? account}
        lead={
          <>
            <span className="mono">{account}</span>{' '}
            {data?.suspended && <StatusBadge tone="problem">{m.suspended}</StatusBadge>}
          </>
        }
        isLoading={!data && !error}
        actions={
          <>
            <ButtonLink variant="default" href={paths.shipments({ account, tab: 'all' })}>
              {m.openShipments}
            </ButtonLink>
            <ButtonLink variant="default" href={paths.work({ account })}>
              {m.openWork}
            </ButtonLink>
          </>
        }
      >
        <div className={lists.tools}>
          <SegmentedControl
            label={m.show}
            isLabelHidden
            isTabs
            value={show}
            options={shows.map((value) => ({ value, label: m.shows[value] }))}
            onChange={go}
          />
        </div>
        {outcome}
        {data ? (
          <div className={styles.column}>
            {show === 'overview' && <CustomerOverview account={data} />}
            {show === 'people' && <CustomerPeople account={account} />}
            {show === 'billing' && <CustomerBilling account={account} />}
            {show === 'keys' && <CustomerKeys account={data} />}
            {show === 'limits' && <Limits account={data} />}
            {show === 'rules' && <CustomerRules account={account} />}
            {show === 'log' &&
              (isAdmin ? (
                <OfficeAudit account={account} />
              ) : (
                <div className="panel">
                  <EmptyState title={m.logOfAdmins} text={m.logOfAdminsText} />
                </div>
              ))}
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
