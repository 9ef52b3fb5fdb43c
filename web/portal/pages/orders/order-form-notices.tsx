import { IconAlertTriangle } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef } from 'react'
import type { Fault } from '../../../../src/contract/refusals.js'
import { AppLink } from '../../../ui/app-link.js'
import { TextButton } from '../../../ui/button.js'
import { Notice } from '../../../ui/notice.js'
import { ErrorState } from '../../../ui/states.js'
import { refusalCodeOf } from '../../api/client.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { faultText, fieldLabel, goToFault } from './field-faults.js'
import styles from './order-form.module.css'
import type { OrderForm } from './use-order-form.js'

/** Why an order cannot be edited. */
export function AssignedNotice({ reference, isQuiet = false }: { reference?: string; isQuiet?: boolean }) {
  const m = useMessages()
  const { what, remedy } = m.problems.purchase_order_assigned
  return (
    <Notice tone={isQuiet ? 'quiet' : 'locked'} title={isQuiet ? `${what}.` : what}>
      {remedy}
      {reference !== undefined && (
        <>
          {' '}
          <AppLink href={paths.order(reference)}>{m.orderForm.seeOrder}</AppLink>
        </>
      )}
    </Notice>
  )
}

/** Reports a restored draft, or changes by someone else since it was started. */
export function DraftNotices({ form, hasChanged }: { form: OrderForm; hasChanged: boolean }) {
  const m = useMessages()
  if (!hasChanged && !form.isRestored) return null
  return (
    <Notice
      tone={hasChanged ? 'warning' : 'planned'}
      role="status"
      title={hasChanged ? m.orderForm.changedTitle : m.orderForm.restoredTitle}
      {...(!hasChanged && { onClose: form.hideRestored })}
    >
      {hasChanged ? m.orderForm.changedText : m.orderForm.restoredText}{' '}
      <TextButton onClick={form.startAgain}>
        {hasChanged ? m.orderForm.startFromOrder : m.orderForm.startAgain}
      </TextButton>
    </Notice>
  )
}

type FaultListProps = {
  faults: Fault[]
  formElement: RefObject<HTMLFormElement | null>
  /** Number of failed attempts; each one focuses the list. */
  attempts: number
}

/** All errors, with links to their fields. */
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
        {faults.map((fault) => (
          <li key={`${fault.pointer} ${fault.detail}`}>
            <TextButton onClick={() => formElement.current && goToFault(formElement.current, fault.pointer)}>
              {fieldLabel(fault.pointer, m)}
            </TextButton>
            {m.common.colon}
            {faultText(fault, m)}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A failure that is not an error of a field. */
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
