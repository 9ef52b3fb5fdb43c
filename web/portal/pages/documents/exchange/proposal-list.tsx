import type { DocumentProposal } from '../../../../../src/contract/public/proposal.js'
import { useFormat } from '../../../i18n/format.js'
import { useMessages } from '../../../i18n/messages.js'
import { documentTypeName } from '../document-type-name.js'
import styles from './exchange.module.css'
import { ProposalChip } from './proposal-chip.js'

type Shown = Pick<DocumentProposal, 'id' | 'name' | 'type' | 'state' | 'proposed_at' | 'reason' | 'supplier'>

/** Proposed documents, and what became of them. */
export function ProposalList({ proposals }: { proposals: Shown[] }) {
  const messages = useMessages()
  const m = messages.proposals
  const f = useFormat()
  return (
    <ul className={styles.list} aria-label={m.listTitle}>
      {proposals.map(({ id, name, type, state, proposed_at, reason, supplier }) => (
        <li key={id}>
          <span className={styles.grow}>
            <span className="strong">{documentTypeName(type, messages)}</span>
            <span className="small soft clipped" title={name} style={{ display: 'block' }}>
              {[name, f.day(proposed_at.slice(0, 10)), supplier].filter(Boolean).join(' · ')}
            </span>
            {reason !== undefined && <span className="small">{m.returnedBecause(reason)}</span>}
          </span>
          <ProposalChip state={state} />
        </li>
      ))}
    </ul>
  )
}
