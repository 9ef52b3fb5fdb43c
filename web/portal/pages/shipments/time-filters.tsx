import { IconClockExclamation } from '@tabler/icons-react'
import type { ShipmentFilter, ShipmentTab } from '../../../../src/domain/shipments/shipment-view.js'
import chip from '../../../ui/filter-menu.module.css'
import { useMessages } from '../../i18n/messages.js'
import { DateRange } from './date-range.js'

type Times = Pick<ShipmentFilter, 'departs_from' | 'departs_to' | 'arrives_from' | 'arrives_to' | 'late'>
type Props = {
  search: Times
  tab: ShipmentTab
  onChange(change: { [Name in keyof Times]?: Times[Name] | undefined }): void
}

/** Departure, arrival and lateness, as the portal and the office filter shipments. */
export function TimeFilters({ search, tab, onChange }: Props) {
  const { shipments: m } = useMessages()
  return (
    <>
      <DateRange
        label={m.columns.departure}
        from={search.departs_from}
        to={search.departs_to}
        onChange={(departs_from, departs_to) => onChange({ departs_from, departs_to })}
      />
      <DateRange
        label={m.columns.arrival}
        from={search.arrives_from}
        to={search.arrives_to}
        onChange={(arrives_from, arrives_to) => onChange({ arrives_from, arrives_to })}
      />
      {(tab === 'all' || tab === 'finished') && (
        <button
          type="button"
          className={chip.button}
          data-set={search.late !== undefined}
          aria-pressed={search.late !== undefined}
          onClick={() => onChange({ late: search.late ? undefined : 'true' })}
        >
          <IconClockExclamation size={15} aria-hidden="true" />
          {m.late}
        </button>
      )}
    </>
  )
}
