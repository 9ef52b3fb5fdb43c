import { IconX } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../ui/button.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { Field } from '../../../ui/field.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { hasDraft, useDraft } from '../../../ui/use-draft.js'
import { api } from '../../api/client.js'
import { orderArrivalsQuery } from '../../api/queries.js'
import { useMessages } from '../../i18n/messages.js'
import orderForm from './order-form.module.css'

const draftOf = (reference: string) => `cancel order ${reference}`

/** Asks before an order is cancelled: it stays in the list, and nothing of it is expected any more. */
export function CancelOrder({ reference }: { reference: string }) {
  const { order: m } = useMessages()
  const [isOpen, setIsOpen] = useState(() => hasDraft(draftOf(reference)))
  return (
    <>
      <Button variant="default" leftSection={<IconX size={16} aria-hidden="true" />} onClick={() => setIsOpen(true)}>
        {m.cancel}
      </Button>
      {isOpen && <CancelDialog reference={reference} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function CancelDialog({ reference, onClose }: { reference: string; onClose(): void }) {
  const { order: m } = useMessages()
  const client = useQueryClient()
  const [{ reason }, change, drop] = useDraft(draftOf(reference), { reason: '' })
  const close = () => {
    drop()
    onClose()
  }
  const cancel = useMutation({
    mutationFn: () =>
      api.v1.cancelPurchaseOrder({
        params: { reference },
        body: reason.trim() === '' ? {} : { reason: reason.trim() },
      }),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: orderArrivalsQuery(reference).queryKey })
      close()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    cancel.mutate()
  }
  return (
    <Dialog title={m.cancelTitle(reference)} onClose={close}>
      <form className={orderForm.form} onSubmit={submit} noValidate>
        <p className="soft">{m.cancelText}</p>
        {cancel.error && <ErrorNotice error={cancel.error} />}
        <Field
          label={m.cancelReason}
          value={reason}
          maxLength={1000}
          onChange={(event) => change({ reason: event.currentTarget.value })}
          data-autofocus
        />
        <DialogActions>
          <Button variant="default" onClick={close}>
            {m.keepOrder}
          </Button>
          <Button type="submit" color="red" loading={cancel.isPending}>
            {m.cancel}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
