import type { Exception, ThreatenedLine } from '../../../../src/contract/public/exception.js'
import { groupedBy } from '../../../../src/domain/records/grouping.js'
import { AppLink } from '../../../ui/app-link.js'
import { LateChip } from '../../../ui/badges.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from './exceptions.module.css'

const mostOrders = 2

/** The orders that an exception threatens, with the dates: wanted and expected. */
export function Threatened({ exception: { threatens, more_threatened = 0 } }: { exception: Exception }) {
  const m = useMessages().exceptions
  const orders = [...groupedBy(threatens, ({ po_number }) => po_number)]
  if (orders.length === 0) return null
  const hidden = orders.length - mostOrders
  return (
    <>
      <p className="small soft">{m.threatens}</p>
      <ul className={styles.threatened}>
        {orders.slice(0, mostOrders).map(([po_number, lines]) => (
          <Order key={po_number} po_number={po_number} lines={lines} />
        ))}
      </ul>
      {hidden > 0 && <p className="small soft">{m.moreOrders(hidden)}</p>}
      {more_threatened > 0 && <p className="small soft">{m.moreLines(more_threatened)}</p>}
    </>
  )
}

function Order({ po_number, lines }: { po_number: string; lines: ThreatenedLine[] }) {
  const m = useMessages().exceptions
  const f = useFormat()
  // The line that suffers most.
  const [worst] = lines.toSorted((one, other) => (other.days_late ?? 0) - (one.days_late ?? 0))
  const { desired_date, expected_date, days_late = 0 } = worst ?? {}
  const facts = [
    m.lines(lines.length),
    ...(desired_date === undefined ? [] : [m.wanted(f.day(desired_date))]),
    ...(expected_date === undefined ? [] : [m.expected(f.day(expected_date))]),
  ]
  const skus = lines.map(({ sku, line, quantity }) => `${sku ?? line}: ${f.number(quantity)}`)
  return (
    <li>
      <span className={styles.order}>
        <AppLink href={paths.order(po_number)} className="mono clipped" title={skus.slice(0, 20).join('\n')}>
          {po_number}
        </AppLink>
        <LateChip days={days_late} />
      </span>
      <span className="small soft">{facts.join(', ')}</span>
    </li>
  )
}
