import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { operatorAddress } from '../../../../src/client/operator-client.js'
import type { OperatorProposal } from '../../../../src/contract/operator/proposals.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { SectionError } from '../../../portal/pages/shipment/section-error.js'
import { AppLink } from '../../../ui/app-link.js'
import { Button, ButtonLink } from '../../../ui/button.js'
import { MomentText } from '../../../ui/moment-text.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { Lines } from '../../../ui/states.js'
import { hasDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { TextForm } from '../../actions/text-form.js'
import { useActions } from '../../actions/use-actions.js'
import { documentProposalsQuery, ops, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { acceptProposal } from '../my-work/document-panel.js'

/** What customers and their suppliers have sent, to accept or to return. */
export function Proposals() {
  const { documents: m, work } = useOfficeMessages()
  const { statuses } = useMessages()
  const mayOperate = useMayDo('operate')
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    documentProposalsQuery({ state: 'proposed' }),
  )
  const proposed = data?.pages.flatMap((page) => page.proposals)
  return (
    <Section
      title={m.proposed}
      isBare={(proposed?.length ?? 0) > 0}
      aside={proposed && m.count(proposed.length, hasNextPage)}
    >
      {!proposed && (error ? <SectionError error={error} retry={() => void refetch()} /> : <Lines count={3} />)}
      {proposed?.length === 0 && <p className="soft">{m.noneProposed}</p>}
      {proposed && proposed.length > 0 && (
        <PlainTable<OperatorProposal>
          label={m.proposed}
          rows={proposed}
          rowKey={({ account, proposal }) => `${account} ${proposal.id}`}
          columns={[
            {
              id: 'name',
              header: m.file,
              isName: true,
              cell: ({ account, proposal: { id, name, note } }) => (
                <>
                  <a href={operatorAddress('getProposalContent', { account, id })} download>
                    {name}
                  </a>
                  {note && <span className="soft small"> {note}</span>}
                </>
              ),
            },
            {
              id: 'type',
              header: m.type,
              cell: ({ proposal: { type } }) => (type ? statuses.documentType[type] : '–'),
            },
            {
              id: 'shipment',
              header: m.shipment,
              cell: ({ account, proposal: { svc_shipment_id } }) =>
                svc_shipment_id && <AppLink href={paths.shipment(account, svc_shipment_id)}>{svc_shipment_id}</AppLink>,
            },
            { id: 'customer', header: work.account, cell: ({ account_name }) => account_name },
            { id: 'at', header: work.received, cell: (row) => <MomentText at={row.proposal.proposed_at} look="ago" /> },
            ...(mayOperate
              ? [
                  {
                    id: 'decide',
                    header: m.decide,
                    isPlain: true,
                    align: 'right' as const,
                    cell: (row: OperatorProposal) => <Decision document={row} />,
                  },
                ]
              : []),
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

function Decision({ document }: { document: OperatorProposal }) {
  const { work: m } = useOfficeMessages()
  const actions = useActions()
  const { account, proposal } = document
  const draft = `return ${account} ${proposal.id}`
  const [isReturning, setReturning] = useState(() => hasDraft(draft))
  const giveBack = (reason: string) =>
    actions.run(async () => {
      await ops.returnProposal({ params: { account, id: proposal.id }, body: { reason } })
      return { text: m.done.returned(proposal.name) }
    })
  return (
    <>
      <span className={actionStyles.actions}>
        <Button
          size="xs"
          disabled={actions.isBusy}
          aria-label={`${m.accept}: ${proposal.name}`}
          onClick={() => void acceptProposal(actions, m, document)}
        >
          {m.accept}
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label={`${m.return}: ${proposal.name}`}
          aria-expanded={isReturning}
          onClick={() => setReturning(!isReturning)}
        >
          {m.return}
        </Button>
        <ButtonLink
          size="xs"
          variant="default"
          aria-label={`${m.download}: ${proposal.name}`}
          href={operatorAddress('getProposalContent', { account, id: proposal.id })}
          download
        >
          {m.download}
        </ButtonLink>
      </span>
      {isReturning && (
        <TextForm draft={draft} label={m.reasonShown} submit={m.return} isBusy={actions.isBusy} onSubmit={giveBack} />
      )}
    </>
  )
}
