import type { englishShipments } from './shipments-en.js'

const counted = (count: number, one: string, many: string) => `${count} ${count < 2 ? one : many}`

/** Textes de la liste des expéditions. */
export const frenchShipments: typeof englishShipments = {
  title: 'Expéditions',
  lead: (count, hasMore) =>
    `${hasMore ? 'Plus de ' : ''}${counted(count, 'expédition', 'expéditions')}, tous clients confondus.`,
  leadOf: (count, hasMore, customer) =>
    `${hasMore ? 'Plus de ' : ''}${counted(count, 'expédition', 'expéditions')} de ${customer}.`,
  customer: 'Client',
  list: 'Liste',
  noneText: 'Les expéditions apparaissent ici dès qu’elles sont créées, importées ou demandées.',
}
