import { useInfiniteQuery } from '@tanstack/react-query'
import type { ExceptionVersion } from '../../../../src/contract/operator/exceptions.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { SectionError } from '../../../portal/pages/shipment/section-error.js'
import { AppLink } from '../../../ui/app-link.js'
import { StatusBadge } from '../../../ui/badges.js'
import { Button } from '../../../ui/button.js'
import { MomentText } from '../../../ui/moment-text.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { Lines } from '../../../ui/states.js'
import { exceptionsQuery } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { useAccountNames } from '../my-work/item-texts.js'

/** The documents that shipments of all customers lack, those that have been due for longest first. */
export function MissingDocuments() {
  const { documents: m, work } = useOfficeMessages()
  const { proposals } = useMessages()
  const nameOf = useAccountNames()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    exceptionsQuery({ state: 'open', kind: 'missing_document' }),
  )
  const missing = data?.pages
    .flatMap((page) => page.exceptions)
    .toSorted((one, other) => (one.record.since < other.record.since ? -1 : 1))
  return (
    <Section
      title={m.missing}
      isBare={(missing?.length ?? 0) > 0}
      aside={missing && m.count(missing.length, hasNextPage)}
    >
      {!missing && (error ? <SectionError error={error} retry={() => void refetch()} /> : <Lines count={3} />)}
      {missing?.length === 0 && <p className="soft">{m.noneMissing}</p>}
      {missing && missing.length > 0 && (
        <PlainTable<ExceptionVersion>
          label={m.missing}
          rows={missing}
          rowKey={({ account, id }) => `${account} ${id}`}
          columns={[
            {
              id: 'document',
              header: m.document,
              isName: true,
              cell: ({ record: { severity, details } }) => (
                <StatusBadge tone={severity === 'critical' ? 'problem' : 'late'}>
                  {details.document && proposals.required[details.document]}
                </StatusBadge>
              ),
            },
            {
              id: 'shipment',
              header: m.shipment,
              cell: ({ account, shipment_name, record: { svc_shipment_id = '' } }) => (
                <>
                  <AppLink href={paths.shipment(account, svc_shipment_id)}>{svc_shipment_id}</AppLink>{' '}
                  <span className="soft">{shipment_name ?? ''}</span>
                </>
              ),
            },
            { id: 'customer', header: work.account, cell: ({ account }) => nameOf(account) },
            { id: 'due', header: m.due, cell: ({ record: { since } }) => <MomentText at={since} look="ago" /> },
            { id: 'owner', header: work.owner, cell: ({ record: { owner } }) => owner ?? work.nobody },
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
