import { useBlocker } from '@tanstack/react-router'
import { Button } from '../../../ui/button.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import type { OrderForm } from './use-order-form.js'

/** Asks before leaving with unsaved changes. */
export function LeaveDialog({ form }: { form: OrderForm }) {
  const m = useMessages()
  const isUnsaved = () => form.isDirty && !form.isDone.current
  const blocker = useBlocker({
    // After a new sign-in the draft is restored.
    shouldBlockFn: ({ next }) => isUnsaved() && next.pathname !== paths.signIn(),
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Dialog title={m.common.unsavedTitle} onClose={blocker.reset}>
      <p>{m.orderForm.unsavedText}</p>
      <DialogActions>
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
      </DialogActions>
    </Dialog>
  )
}
