import type { ExceptionPage } from '../../../../src/contract/portal/exceptions.js'
import {
  type ExceptionKind,
  exceptionKinds,
  type Severity,
  severities,
} from '../../../../src/contract/public/exception.js'
import { Button } from '../../../ui/button.js'
import { FilterMenu } from '../../../ui/filter-menu.js'
import { useMessages } from '../../i18n/messages.js'
import lists from '../lists.module.css'
import type { ExceptionsSearch } from './exceptions-search.js'

type Change = { [Name in keyof ExceptionsSearch]?: ExceptionsSearch[Name] | undefined }
type Props = {
  search: ExceptionsSearch
  kinds: ExceptionPage['kinds']
  change(changed: Change, options?: { replace?: boolean }): void
  /** Present if any filter is set. */
  onClear: (() => void) | undefined
}

export function ExceptionFilters({ search, kinds, change, onClear }: Props) {
  const m = useMessages().exceptions
  const set = (changed: Change) => change(changed, { replace: false })
  const counts = new Map(kinds.map(({ kind, count }) => [kind, count]))
  const offered = exceptionKinds.filter((kind) => counts.has(kind) || kind === search.kind)
  const { svc_shipment_id, po_number } = search
  return (
    <div className={lists.filters} role="group" aria-label={m.filters}>
      <FilterMenu
        label={m.kind}
        value={search.kind}
        options={offered.map((value) => ({ value, label: m.kinds[value], count: counts.get(value) ?? 0 }))}
        onChange={(kind) => set({ kind: kind as ExceptionKind | undefined })}
      />
      <FilterMenu
        label={m.severity}
        value={search.severity}
        options={severities.toReversed().map((value) => ({ value, label: m.severities[value] }))}
        onChange={(severity) => set({ severity: severity as Severity | undefined })}
      />
      {svc_shipment_id !== undefined && (
        <FilterMenu
          label={m.shipment}
          value={svc_shipment_id}
          options={[{ value: svc_shipment_id, label: svc_shipment_id }]}
          onChange={(value) => set({ svc_shipment_id: value })}
        />
      )}
      {po_number !== undefined && (
        <FilterMenu
          label={m.order}
          value={po_number}
          options={[{ value: po_number, label: po_number }]}
          onChange={(value) => set({ po_number: value })}
        />
      )}
      {onClear && (
        <Button size="xs" variant="subtle" onClick={onClear}>
          {m.clear}
        </Button>
      )}
    </div>
  )
}
