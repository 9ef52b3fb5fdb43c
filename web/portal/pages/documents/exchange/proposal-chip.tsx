import type { ProposalState } from '../../../../../src/contract/public/proposal.js'
import { StatusBadge } from '../../../../ui/badges.js'
import { useMessages } from '../../../i18n/messages.js'

const looks = {
  proposed: ['accent', 'half'],
  accepted: ['done', 'full'],
  returned: ['problem', 'crossed'],
} as const satisfies Record<ProposalState, [string, string]>

export function ProposalChip({ state }: { state: ProposalState }) {
  const m = useMessages().proposals
  const [tone, mark] = looks[state]
  return (
    <StatusBadge tone={tone} mark={mark}>
      {m.proposalStates[state]}
    </StatusBadge>
  )
}
