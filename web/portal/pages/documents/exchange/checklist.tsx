import { IconAlertTriangle, IconCheck, IconCircleDashed, IconMinus } from '@tabler/icons-react'
import type { RequiredDocument } from '../../../../../src/contract/public/checklist.js'
import { useFormat } from '../../../i18n/format.js'
import { useMessages } from '../../../i18n/messages.js'
import styles from './exchange.module.css'

const icons = { present: IconCheck, missing: IconAlertTriangle, later: IconCircleDashed, waived: IconMinus }

export function stateOf({ present, waived, is_required }: RequiredDocument): keyof typeof icons {
  if (present) return 'present'
  if (waived) return 'waived'
  return is_required ? 'missing' : 'later'
}

/** What a shipment needs, and what of it is there. */
export function Checklist({ documents }: { documents: RequiredDocument[] }) {
  const { proposals: m } = useMessages()
  const f = useFormat()
  if (documents.length === 0) return null
  return (
    <ul className={styles.checklist} aria-label={m.checklist}>
      {documents.map((document) => {
        const state = stateOf(document)
        const Icon = icons[state]
        const day = document.required_since && f.day(document.required_since.slice(0, 10))
        return (
          <li key={document.type} data-state={state}>
            <Icon size={16} aria-hidden="true" />
            <span>
              {m.required[document.type]}
              {state !== 'present' && (
                <span className="small"> · {state === 'later' && day ? m.neededFrom(day) : m.states[state]}</span>
              )}
              {state === 'present' && <span className="visually-hidden"> · {m.states.present}</span>}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
