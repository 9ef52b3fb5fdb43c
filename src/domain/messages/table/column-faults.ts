import { referenceFields, type TableColumns, type TableField } from '../../../contract/operator/tables.js'
import type { Fault } from '../../../contract/refusals.js'
import { plainHeading } from '../../records/column-headings.js'
import { readZone } from './table-time.js'

const ofSeveral = new Set<string>(['ignored', ...referenceFields])

/** What is wrong with the columns of a sender beyond their schema. */
export function columnFaults({ columns = [], constants = [], time_zone }: TableColumns): Fault[] {
  const faults: Fault[] = []
  const headings = new Set<string>()
  const fields = new Set<string>()
  for (const [index, { heading, field }] of columns.entries()) {
    const plain = plainHeading(heading)
    if (plain === '') faults.push({ pointer: `/columns/${index}/heading`, detail: 'must have a letter or digit' })
    else if (headings.has(plain)) faults.push({ pointer: `/columns/${index}/heading`, detail: 'is given twice' })
    if (fields.has(field) && !ofSeveral.has(field))
      faults.push({ pointer: `/columns/${index}/field`, detail: 'is the field of another heading' })
    headings.add(plain)
    fields.add(field)
  }
  const constant = new Set<TableField>()
  for (const [index, { field }] of constants.entries()) {
    if (constant.has(field)) faults.push({ pointer: `/constants/${index}/field`, detail: 'is given twice' })
    constant.add(field)
  }
  if (time_zone !== undefined && !readZone(time_zone))
    faults.push({ pointer: '/time_zone', detail: 'must be an offset such as +08:00, or a zone such as Asia/Shanghai' })
  return faults
}
