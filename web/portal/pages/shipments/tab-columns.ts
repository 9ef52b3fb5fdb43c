import type { ShipmentTab } from '../../../../src/domain/shipments/shipment-view.js'
import type { Messages } from '../../i18n/messages.js'

type ColumnId = keyof Messages['shipments']['columns']

const details: ColumnId[] = ['departure', 'containers', 'vessel', 'carrier', 'weight', 'created']

/** The columns of a tab, the most important first: where not all fit, the last ones are hidden first. */
export const tabColumns: Record<ShipmentTab, ColumnId[]> = {
  under_way: ['name', 'arrival', 'late', 'desired', 'orders', 'route', 'delivery', 'status', 'journey', ...details],
  late: ['name', 'arrival', 'late', 'desired', 'orders', 'route', 'delivery', 'status', 'journey', ...details],
  drafts: ['name', 'desired', 'orders', 'route', 'ready', 'created', 'containers', 'weight'],
  finished: ['name', 'delivery', 'late', 'desired', 'orders', 'route', 'arrival', 'status', ...details],
  all: ['name', 'arrival', 'late', 'desired', 'orders', 'status', 'route', 'journey', 'delivery', ...details],
}
