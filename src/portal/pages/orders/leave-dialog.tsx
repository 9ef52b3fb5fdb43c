import '@mantine/core/styles/Modal.css'
import '@mantine/core/styles/ModalBase.css'
import '@mantine/core/styles/Overlay.css'
import '@mantine/core/styles/Paper.css'
import { Button, Modal } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from './order-form.module.css'
import type { OrderForm } from './use-order-form.js'

/** Asks before somebody goes away from what is not saved. What they typed can wait for them. */
export function LeaveDialog({ form }: { form: OrderForm }) {
  const m = useMessages()
  const isUnsaved = () => form.isDirty && !form.isDone.current
  const blocker = useBlocker({
    // Whoever has to sign in again comes back, and finds what they typed.
    shouldBlockFn: ({ next }) => isUnsaved() && next.pathname !== paths.signIn(),
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Modal
      opened
      onClose={blocker.reset}
      title={m.common.unsavedTitle}
      centered
      closeButtonProps={{ 'aria-label': m.common.close }}
    >
      <p className={styles.dialogText}>{m.orderForm.unsavedText}</p>
      <div className={styles.dialogActs}>
        <Button
          variant="subtle"
          color="red"
          onClick={() => {
            form.discard()
            blocker.proceed()
          }}
        >
          {m.orderForm.discard}
        </Button>
        <Button variant="default" onClick={blocker.proceed}>
          {m.orderForm.leaveAndKeep}
        </Button>
        <Button data-autofocus onClick={blocker.reset}>
          {m.common.stay}
        </Button>
      </div>
    </Modal>
  )
}
