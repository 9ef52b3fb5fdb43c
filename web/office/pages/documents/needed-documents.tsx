import { useInfiniteQuery } from '@tanstack/react-query'
import { useMessages } from '../../../portal/i18n/messages.js'
import { SectionError } from '../../../portal/pages/shipment/section-error.js'
import { AppLink } from '../../../ui/app-link.js'
import { StatusBadge } from '../../../ui/badges.js'
import { Button } from '../../../ui/button.js'
import { DayText } from '../../../ui/day-text.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { Lines } from '../../../ui/states.js'
import { neededDocumentsQuery } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'

/** The documents that shipments of all customers will need within a week, those that are needed first first. */
export function NeededDocuments() {
  const { documents: m, work } = useOfficeMessages()
  const { proposals } = useMessages()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    neededDocumentsQuery({}),
  )
  const needed = data?.pages
    .flatMap(({ shipments }) =>
      shipments.flatMap(({ documents, ...of }) => documents.map((each) => ({ ...of, ...each }))),
    )
    .toSorted((one, other) => ((one.required_since ?? '') < (other.required_since ?? '') ? -1 : 1))
  return (
    <Section title={m.needed} isBare={(needed?.length ?? 0) > 0} aside={needed && m.count(needed.length, hasNextPage)}>
      {!needed && (error ? <SectionError error={error} retry={() => void refetch()} /> : <Lines count={3} />)}
      {needed?.length === 0 && <p className="soft">{m.noneNeeded}</p>}
      {needed && needed.length > 0 && (
        <PlainTable
          label={m.needed}
          rows={needed}
          rowKey={({ account, svc_shipment_id, type }) => `${account} ${svc_shipment_id} ${type}`}
          columns={[
            {
              id: 'document',
              header: m.document,
              isName: true,
              cell: ({ type }) => <StatusBadge tone="planned">{proposals.required[type]}</StatusBadge>,
            },
            {
              id: 'shipment',
              header: m.shipment,
              cell: ({ account, svc_shipment_id }) => (
                <AppLink href={paths.shipment(account, svc_shipment_id)}>{svc_shipment_id}</AppLink>
              ),
            },
            { id: 'customer', header: work.account, cell: ({ account_name }) => account_name },
            { id: 'due', header: work.due, cell: ({ required_since }) => <DayText date={required_since} /> },
          ]}
        />
      )}
      {hasNextPage && (
        <Button size="xs" variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {m.more}
        </Button>
      )}
    </Section>
  )
}
