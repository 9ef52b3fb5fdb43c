import { inboxStates } from '../../../../src/contract/portal/exceptions.js'
import { AppLink } from '../../../ui/app-link.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import tabs from '../shipments/views.module.css'
import type { ExceptionsSearch } from './exceptions-search.js'

type Props = { state: (typeof inboxStates)[number]; filters: Omit<ExceptionsSearch, 'state'> }

/** What is to do, what is open, and what is over; the filters stay. */
export function StateTabs({ state, filters }: Props) {
  const m = useMessages().exceptions
  return (
    <nav className={tabs.views} aria-label={m.tabsLabel}>
      <div className={tabs.tabs}>
        {inboxStates.map((each) => (
          <AppLink
            key={each}
            href={paths.exceptions({ ...filters, ...(each !== 'unacknowledged' && { state: each }) })}
            className={tabs.tab}
            aria-current={each === state ? 'page' : undefined}
          >
            {m.tabs[each]}
          </AppLink>
        ))}
      </div>
    </nav>
  )
}
