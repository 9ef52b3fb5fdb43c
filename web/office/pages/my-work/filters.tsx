import { useQuery } from '@tanstack/react-query'
import lists from '../../../portal/pages/lists.module.css'
import { Button } from '../../../ui/button.js'
import { FilterMenu } from '../../../ui/filter-menu.js'
import { SegmentedControl } from '../../../ui/segmented-control.js'
import { accountsQuery } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { isFiltered, kinds, owners, severities, shows, states, unfiltered, type WorkSearch } from './work-search.js'

type Props = { search: WorkSearch; change: (change: Partial<Record<keyof WorkSearch, string | undefined>>) => void }

export function Filters({ search, change }: Props) {
  const { work: m } = useOfficeMessages()
  const { data: accounts = [] } = useQuery(accountsQuery())
  const { show, kind, severity, owner, state, account } = search
  return (
    <div className={lists.tools}>
      <SegmentedControl
        label={m.show}
        isLabelHidden
        value={show}
        options={shows.map((value) => ({ value, label: m.shows[value] }))}
        onChange={(value) => change({ show: value === 'all' ? undefined : value })}
      />
      <div className={lists.filters}>
        <FilterMenu
          label={m.account}
          options={accounts.map(({ slug, name }) => ({ value: slug, label: name }))}
          value={account}
          onChange={(value) => change({ account: value, shipment: undefined })}
        />
        <FilterMenu
          label={m.kind}
          options={kinds.map((value) => ({ value, label: m.kinds[value] }))}
          value={kind}
          onChange={(value) => change({ kind: value })}
        />
        <FilterMenu
          label={m.severity}
          options={severities.map((value) => ({ value, label: m.severities[value] }))}
          value={severity}
          onChange={(value) => change({ severity: value })}
        />
        <FilterMenu
          label={m.owner}
          options={owners.map((value) => ({ value, label: m.owners[value] }))}
          value={owner}
          onChange={(value) => change({ owner: value })}
        />
        <FilterMenu
          label={m.state}
          options={states.map((value) => ({ value, label: m.states[value] }))}
          value={state === 'open' ? undefined : state}
          onChange={(value) => change({ state: value === 'open' ? undefined : value })}
        />
        {isFiltered(search) && (
          <Button variant="subtle" onClick={() => change(unfiltered)}>
            {m.clearFilters}
          </Button>
        )}
      </div>
    </div>
  )
}
