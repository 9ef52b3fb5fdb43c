import { useQuery } from '@tanstack/react-query'
import lists from '../../../portal/pages/lists.module.css'
import { useAddressQuery } from '../../../ui/address-query.js'
import { Page } from '../../../ui/page.js'
import { SegmentedControl } from '../../../ui/segmented-control.js'
import { EmptyState, ErrorState, TableSkeleton } from '../../../ui/states.js'
import { ActionsContext, useActionState } from '../../actions/use-actions.js'
import { staffQuery, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { useKeys } from '../../layout/keys.js'
import { OfficeAudit } from '../audit/office-audit.js'
import { ForwarderRules } from '../customers/rules.js'
import { staffPeople } from '../people/people-access.js'
import { PeopleSection } from '../people/people-section.js'
import styles from '../shipment/file.module.css'
import { BrandingForm } from './branding-form.js'
import { Calendars } from './calendars.js'
import { Terms } from './terms.js'

const shows = ['staff', 'log', 'terms', 'calendars', 'rules', 'branding'] as const
type Show = (typeof shows)[number]

const read = ({ show }: Record<string, string>): { show?: Show } => {
  const known = shows.find((each) => each === show)
  return known ? { show: known } : {}
}

/** The forwarder's own people and settings. The shown part is in the address. */
export function SettingsPage() {
  const { settings: m, customers } = useOfficeMessages()
  const [{ show = 'staff' }, change] = useAddressQuery(read)
  const { actions, outcome } = useActionState()
  const isAdmin = useMayDo('administer')
  const go = (to: Show) => change({ show: to === 'staff' ? undefined : to }, { replace: false })
  useKeys({
    z: actions.undo,
    ...Object.fromEntries(shows.map((each, index) => [String(index + 1), () => go(each)])),
  })
  return (
    <ActionsContext value={actions}>
      <Page title={m.title} lead={m.lead}>
        <div className={lists.tools}>
          <SegmentedControl
            label={customers.show}
            isLabelHidden
            isTabs
            value={show}
            options={shows.map((value) => ({ value, label: m.shows[value] }))}
            onChange={go}
          />
        </div>
        {outcome}
        <div className={styles.column}>
          {show === 'staff' && <Staff />}
          {show === 'log' &&
            (isAdmin ? (
              <OfficeAudit />
            ) : (
              <div className="panel">
                <EmptyState title={customers.logOfAdmins} text={customers.logOfAdminsText} />
              </div>
            ))}
          {show === 'terms' && <Terms />}
          {show === 'calendars' && <Calendars />}
          {show === 'rules' && <ForwarderRules />}
          {show === 'branding' && <BrandingForm />}
        </div>
      </Page>
    </ActionsContext>
  )
}

function Staff() {
  const { settings: m } = useOfficeMessages()
  const { data, error, refetch } = useQuery(staffQuery())
  if (!data) {
    return error ? <ErrorState error={error} retry={() => void refetch()} /> : <TableSkeleton rows={4} columns={4} />
  }
  return <PeopleSection title={m.shows.staff} people={data} access={staffPeople} emptyText={m.nobodyText} />
}
