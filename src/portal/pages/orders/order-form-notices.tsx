import { IconAlertTriangle } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef } from 'react'
import type { Fault } from '../../../contract/refusals.js'
import { refusalCodeOf } from '../../api/client.js'
import { useMessages } from '../../i18n/messages.js'
import { AppLink } from '../../parts/app-link.js'
import { ErrorState } from '../../parts/states.js'
import { paths } from '../../paths.js'
import { Note } from '../note.js'
import { goToFault, placeInWords } from './fault-places.js'
import styles from './order-form.module.css'
import type { OrderForm } from './use-order-form.js'

/** Why an order cannot be edited, in the words of the refusal. */
export function AssignedNotice({ reference, isQuiet = false }: { reference?: string; isQuiet?: boolean }) {
  const m = useMessages()
  const { what, remedy } = m.problems.purchase_order_assigned
  return (
    <Note tone={isQuiet ? 'quiet' : 'locked'} title={isQuiet ? `${what}.` : what}>
      {remedy}
      {reference !== undefined && (
        <>
          {' '}
          <AppLink href={paths.order(reference)}>{m.orderForm.seeOrder}</AppLink>
        </>
      )}
    </Note>
  )
}

/** What was typed before is here again; and whether the order was changed by somebody else meanwhile. */
export function DraftNotices({ form, hasChanged }: { form: OrderForm; hasChanged: boolean }) {
  const m = useMessages()
  if (!hasChanged && !form.isRestored) return null
  return (
    <Note
      tone={hasChanged ? 'late' : 'planned'}
      role="status"
      title={hasChanged ? m.orderForm.changedTitle : m.orderForm.restoredTitle}
      {...(!hasChanged && { onClose: form.hideRestored })}
    >
      {hasChanged ? m.orderForm.changedText : m.orderForm.restoredText}{' '}
      <button type="button" className={styles.textButton} onClick={form.startAgain}>
        {hasChanged ? m.orderForm.startFromOrder : m.orderForm.startAgain}
      </button>
    </Note>
  )
}

type FaultListProps = {
  faults: Fault[]
  formElement: RefObject<HTMLFormElement | null>
  /** Counts the attempts that failed: with each, the list asks for attention. */
  attempts: number
}

/** Every fault in one list that leads to its field. */
export function FaultList({ faults, formElement, attempts }: FaultListProps) {
  const m = useMessages()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (attempts > 0) box.current?.focus()
  }, [attempts])
  if (attempts === 0 || faults.length === 0) return null
  return (
    <div ref={box} className={styles.faultList} tabIndex={-1} role="group" aria-labelledby="order-faults">
      <p id="order-faults" className={styles.faultListTitle}>
        <IconAlertTriangle size={18} aria-hidden="true" /> {m.orderForm.faultCount(faults.length)}
      </p>
      <ul>
        {faults.map(({ pointer, detail }) => (
          <li key={`${pointer} ${detail}`}>
            <button
              type="button"
              className={styles.textButton}
              onClick={() => formElement.current && goToFault(formElement.current, pointer)}
            >
              {placeInWords(pointer, m)}
            </button>{' '}
            {m.orderForm.fault(detail)}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What stopped the saving, where it is no fault of a field. */
export function SaveFailure({ failure, reference }: { failure: unknown; reference: string }) {
  const code = refusalCodeOf(failure)
  if (failure === undefined || code === 'invalid_request' || code === 'purchase_order_exists') return null
  if (code === 'purchase_order_assigned') return <AssignedNotice reference={reference} />
  return (
    <div role="alert">
      <ErrorState error={failure} />
    </div>
  )
}
