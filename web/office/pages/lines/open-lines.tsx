import type { useInfiniteQuery } from '@tanstack/react-query'
import { useFormat } from '../../../portal/i18n/format.js'
import { SectionError } from '../../../portal/pages/shipment/section-error.js'
import { AppLink } from '../../../ui/app-link.js'
import { Button } from '../../../ui/button.js'
import { LoadMore } from '../../../ui/load-more.js'
import { SearchField } from '../../../ui/search-field.js'
import { Lines } from '../../../ui/states.js'
import type { OpenOrder } from '../../api/bookings.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { type Board, LineGroup, PieceTable } from './line-groups.js'
import styles from './lines.module.css'
import type { Piece } from './pieces.js'

// An order may have thousands of lines.
export const linesAtFirst = 12

type Props = {
  board: Board
  orders: { order: OpenOrder; pieces: Piece[] }[]
  found: Pick<ReturnType<typeof useInfiniteQuery>, 'isPending' | 'error' | 'hasNextPage' | 'isPlaceholderData'> & {
    refetch: () => Promise<unknown>
    fetchNextPage: (options: { cancelRefetch: boolean }) => Promise<unknown>
  }
  q: string
  onSearch: (q: string) => void
  onOpen: (order: OpenOrder) => void
}

/** Lines of the customer's orders that are on no shipment yet. What is dropped here leaves the shipment. */
export function OpenLines({ board, orders, found, q, onSearch, onOpen }: Props) {
  const { lines: m, bookings } = useOfficeMessages()
  return (
    <LineGroup board={board} place="open" title={m.open} label={m.open} shortcut="u">
      <div className={styles.search}>
        <SearchField label={bookings.search} placeholder={bookings.searchPlaceholder} value={q} onChange={onSearch} />
      </div>
      {found.isPending ? (
        found.error ? (
          <SectionError error={found.error} retry={() => void found.refetch()} />
        ) : (
          <div className={styles.empty}>
            <Lines count={6} />
          </div>
        )
      ) : orders.length === 0 ? (
        <p className={`soft ${styles.empty}`}>{q === '' ? m.noOpen : m.noneFound}</p>
      ) : (
        <div className={styles.orders} data-outdated={found.isPlaceholderData || undefined}>
          {orders.map(({ order, pieces }) => (
            <div key={order.reference}>
              <OrderHead order={order} />
              <PieceTable label={m.openOf(order.reference)} pieces={pieces} board={board} />
              {pieces.length < order.lines.length && (
                <Button size="xs" variant="subtle" onClick={() => onOpen(order)}>
                  {bookings.moreLines(order.lines.length - pieces.length)}
                </Button>
              )}
            </div>
          ))}
          {found.hasNextPage && (
            <LoadMore count={orders.length} loadMore={() => void found.fetchNextPage({ cancelRefetch: false })} />
          )}
        </div>
      )}
    </LineGroup>
  )
}

function OrderHead({ order }: { order: OpenOrder }) {
  const { bookings: m } = useOfficeMessages()
  const f = useFormat()
  const { account, reference, supplier_name, desired_ex_factory_date, desired_delivery_date } = order
  return (
    <p className={styles.orderHead}>
      <AppLink href={paths.order(account, reference)} className="mono">
        {reference}
      </AppLink>
      {supplier_name !== undefined && <span className="soft clipped">{supplier_name}</span>}
      <span className={`soft ${styles.aside}`}>
        {desired_ex_factory_date !== undefined
          ? m.readyOn(f.day(desired_ex_factory_date))
          : desired_delivery_date !== undefined && m.wantedOn(f.day(desired_delivery_date))}
      </span>
    </p>
  )
}
