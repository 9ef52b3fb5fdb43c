import type { ExceptionRules } from '../../contract/operator/exceptions.js'
import { type ExceptionKind, exceptionKinds } from '../../contract/public/exception.js'
import type { ShipmentRecord } from '../../contract/public/shipment.js'
import { hour } from '../dates/local-time.js'

/** When rules raise exceptions: the defaults, and what the forwarder and an account have set. */

export const defaultThresholds = {
  late_critical_days: 3,
  eta_slip_hours_ocean: 24,
  eta_slip_hours_rail: 24,
  eta_slip_hours_air: 6,
  eta_slip_hours_truck: 4,
  overdue_hours_ocean: 24,
  overdue_hours_rail: 12,
  overdue_hours_air: 6,
  overdue_hours_truck: 2,
  not_loaded_hours: 12,
  connection_hours_ocean: 24,
  connection_hours_rail: 24,
  connection_hours_air: 3,
  connection_hours_truck: 1,
  dwell_transshipment_days: 7,
  dwell_origin_days: 10,
  dwell_destination_days: 5,
  dwell_airport_hours: 48,
  dwell_border_hours: 24,
  free_time_warning_days: 3,
  free_time_critical_days: 1,
  order_unassigned_days: 3,
  no_news_hours_ocean: 120,
  no_news_hours_rail: 120,
  no_news_hours_air: 12,
  no_news_hours_truck: 12,
  unbilled_days: 7,
}
export type Thresholds = Record<keyof typeof defaultThresholds, number>

/** What concerns the forwarder's own work is not shown to customers, unless the forwarder says so. */
const internal = new Set<ExceptionKind>(['no_news', 'conflict', 'free_time_disagreement', 'unbilled'])

export type EffectiveRules = {
  thresholds: Thresholds
  kinds: Record<ExceptionKind, { enabled: boolean; shown_to_customers: boolean }>
}

/** Defaults, then the forwarder's settings, then those of the account. */
export function effectiveRules(...settings: ExceptionRules[]): EffectiveRules {
  const thresholds = Object.assign({}, defaultThresholds, ...settings.map((each) => each.thresholds ?? {}))
  const kinds = exceptionKinds.map((kind) => {
    const usual = { enabled: true, shown_to_customers: !internal.has(kind) }
    return [kind, Object.assign(usual, ...settings.map((each) => each.kinds?.[kind] ?? {}))]
  })
  return { thresholds, kinds: Object.fromEntries(kinds) as EffectiveRules['kinds'] }
}

type ByMode = 'eta_slip_hours' | 'overdue_hours' | 'connection_hours' | 'no_news_hours'
type Mode = NonNullable<ShipmentRecord['freight_mode']>

/** In milliseconds. A shipment without a mode is taken for the slowest. */
export function hoursOf(thresholds: Thresholds, name: ByMode, mode: Mode = 'ocean'): number {
  return thresholds[`${name}_${mode}`] * hour
}
