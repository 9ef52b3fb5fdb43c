import { expect, test } from 'vitest'
import { chargeKind } from '../../src/domain/invoices/charge-kinds.js'

test.each([
  ['Delivery to Lyon', 'delivery'],
  ['Fuel surcharge on delivery', 'delivery'],
  ['On-carriage Felixstowe to Leeds', 'delivery'],
  ['Last mile', 'delivery'],
  ['Livraison à Lyon', 'delivery'],
  ['Post-acheminement', 'delivery'],
  ['Delivery order fee', undefined],
  ['Delivery orders', undefined],
  ['Delivery note', undefined],
  ['Proof of delivery', undefined],
  ['Bon de livraison', undefined],
  ['Frais d’ordre de livraison', undefined],
  ['Preuve de livraison', undefined],
  ['Delivery order and delivery to Lyon', 'delivery'],
  ['Pick-up in Ningbo', 'origin'],
  ['Export customs clearance', 'origin'],
  ['Enlèvement à Lyon', 'origin'],
  ['Pré-acheminement', 'origin'],
  ['Ocean freight', 'main'],
  ['Fret aérien', 'main'],
  ['Cargo insurance', 'insurance'],
  ['Assurance ad valorem', 'insurance'],
  ['Import duties', 'duty'],
  ['Droits de douane', 'duty'],
  ['Demurrage', 'demurrage'],
  ['Surestaries', 'demurrage'],
  ['Surestarie', 'demurrage'],
  ['Detention of containers', 'detention'],
  ['Détention', 'detention'],
  ['Storage at terminal', 'storage'],
  ['Magasinage', 'storage'],
  ['Documents', undefined],
  ['Frais de dossier', undefined],
] as const)('"%s" charges for: %s', (description, kind) => {
  expect(chargeKind({ description })).toBe(kind)
  expect(chargeKind({ description: description.toUpperCase() })).toBe(kind)
})
