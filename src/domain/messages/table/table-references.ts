import type { ReferenceField } from '../../../contract/operator/tables.js'
import { expectedCheckDigit } from '../../shipments/airway-bill-number.js'
import { hasContainerForm, isContainerNumber } from '../../shipments/container-number.js'
import type { DocumentReference } from '../incoming-event.js'
import { normalReference } from '../references.js'
import type { Cells } from './table-row.js'

type References = { containers: string[]; documents: DocumentReference[]; oddities: string[] }

const kinds: Record<Exclude<ReferenceField, 'container'>, DocumentReference['kind']> = {
  shipment: 'any',
  booking: 'booking',
  bill: 'bill',
  air_waybill: 'bill',
  purchase_order: 'order',
  reference: 'any',
}

// As many as one row has room for.
const mostReferences = 20

/** The references of a row: any one of them suffices. */
export function referencesIn(cells: Cells): References {
  const oddities: string[] = []
  const listed = (field: ReferenceField) =>
    cells.texts(field).flatMap((text) => {
      const reference = normalReference(text)
      if (reference.length > 64) throw cells.fault(field, 'is longer than 64 characters')
      return reference === '' ? [] : reference
    })
  const named = listed('container')
  for (const number of named.filter((each) => hasContainerForm(each) && !isContainerNumber(each)))
    oddities.push(`${cells.at('container')}: container ${number} has a wrong check digit`)
  for (const number of cells.texts('air_waybill').filter((each) => expectedCheckDigit(each) !== undefined))
    oddities.push(`${cells.at('air_waybill')}: air waybill ${number.slice(0, 20)} has a wrong check digit`)
  const documents = (Object.keys(kinds) as (keyof typeof kinds)[]).flatMap((field) =>
    listed(field).map((reference) => ({ kind: kinds[field], reference })),
  )
  // A container that is named as a reference is what the event is about.
  const isUnit = ({ kind, reference }: DocumentReference) =>
    kind === 'any' && named.length === 0 && isContainerNumber(reference)
  const containers = [...named, ...documents.filter(isUnit).map(({ reference }) => reference)]
  const others = documents.filter((each) => !isUnit(each))
  if (containers.length + others.length === 0) throw cells.fault(undefined, 'has no reference')
  if (containers.length + others.length > mostReferences)
    throw cells.fault(undefined, `has more than ${mostReferences} references`)
  return { containers: [...new Set(containers)], documents: others, oddities }
}
