import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listed, severalOf } from '../../../../src/domain/records/query-values.js'
import { modes, statusesOf, tabOf } from '../../../../src/domain/shipments/shipment-view.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import lists from '../../../portal/pages/lists.module.css'
import { TimeFilters } from '../../../portal/pages/shipments/time-filters.js'
import { Button } from '../../../ui/button.js'
import { FilterMenu } from '../../../ui/filter-menu.js'
import { accountsQuery, type FoundShipment, shipmentsQuery } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { type OfficeShipmentsSearch, queryOfPorts } from './search.js'

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
      <PortFilters search={search} onChange={onChange} />
      <TimeFilters search={search} tab={tab} onChange={onChange} />
      {onClear && (
        <Button size="xs" variant="subtle" onClick={onClear}>
          {m.clear}
        </Button>
      )}
    </div>
  )
}

// As many as one request takes.
const mostShipments = 100

/** The ports of the first shipments that the other filters find: loaded when they are needed, since the list has fewer. */
function PortFilters({ search, onChange }: Pick<Props, 'search' | 'onChange'>) {
  const { shipments: m } = useMessages()
  const { locale } = useFormat()
  const [isNear, setNear] = useState(false)
  const near = () => setNear(true)
  const enabled = isNear || search.origin !== undefined || search.destination !== undefined
  const { data, isLoading } = useInfiniteQuery({ ...shipmentsQuery(queryOfPorts(search), mostShipments), enabled })
  const [page] = data?.pages ?? []
  const optionsOf = (portOf: (found: FoundShipment) => string | undefined, chosen: string | undefined) => {
    const codes = new Set([...(page?.shipments ?? []).map(portOf), chosen].filter((code) => code !== undefined))
    return [...codes]
      .map((value) => ({ value, label: page?.place_names[value] ?? value }))
      .toSorted((one, other) => one.label.localeCompare(other.label, locale))
  }
  return (
    <>
      <FilterMenu
        label={m.origin}
        onNear={near}
        isLoading={isLoading}
        value={search.origin}
        options={optionsOf(({ shipment }) => shipment.route?.origin_port_unlocode, search.origin)}
        onChange={(origin) => onChange({ origin })}
      />
      <FilterMenu
        label={m.destination}
        onNear={near}
        isLoading={isLoading}
        value={search.destination}
        options={optionsOf(({ shipment }) => shipment.route?.destination_port_unlocode, search.destination)}
        onChange={(destination) => onChange({ destination })}
      />
    </>
  )
}
