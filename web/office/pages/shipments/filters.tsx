import { useQuery } from '@tanstack/react-query'
import { listed, severalOf } from '../../../../src/domain/records/query-values.js'
import { modes, statusesOf, tabOf } from '../../../../src/domain/shipments/shipment-view.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import lists from '../../../portal/pages/lists.module.css'
import { TimeFilters } from '../../../portal/pages/shipments/time-filters.js'
import { Button } from '../../../ui/button.js'
import { FilterMenu } from '../../../ui/filter-menu.js'
import { accountsQuery } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import type { OfficeShipmentsSearch } from './search.js'

type Change = { [Name in keyof OfficeShipmentsSearch]?: OfficeShipmentsSearch[Name] | undefined }
type Props = { search: OfficeShipmentsSearch; onChange: (change: Change) => void; onClear?: (() => void) | undefined }

export function ShipmentFilters({ search, onChange, onClear }: Props) {
  const { shipments: m, statuses: labels } = useMessages()
  const { shipments: office } = useOfficeMessages()
  const { data: accounts = [] } = useQuery(accountsQuery())
  const { account: _account, ...ofList } = search
  const tab = tabOf(ofList)
  const statuses = statusesOf(tab)
  return (
    <div className={lists.filters} role="group" aria-label={m.filters}>
      <FilterMenu
        label={office.customer}
        value={search.account}
        options={accounts.map(({ slug, name }) => ({ value: slug, label: name }))}
        onChange={(account) => onChange({ account })}
      />
      {statuses.length > 1 && (
        <FilterMenu
          multiple
          label={m.columns.status}
          value={listed(search.status)}
          options={statuses.map((value) => ({ value, label: labels.shipment[value] }))}
          onChange={(chosen) => onChange({ status: severalOf(statuses, chosen) })}
        />
      )}
      <FilterMenu
        multiple
        label={m.mode}
        value={listed(search.freight_mode)}
        options={modes.map((value) => ({ value, label: labels.mode[value] }))}
        onChange={(chosen) => onChange({ freight_mode: severalOf(modes, chosen) })}
      />
      <TimeFilters search={search} tab={tab} onChange={onChange} />
      {onClear && (
        <Button size="xs" variant="subtle" onClick={onClear}>
          {m.clear}
        </Button>
      )}
    </div>
  )
}
