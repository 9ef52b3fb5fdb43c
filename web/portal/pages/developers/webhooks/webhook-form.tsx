import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { EventKind } from '../../../../../src/contract/public/event.js'
import type { Webhook } from '../../../../../src/contract/public/webhook.js'
import { Button } from '../../../../ui/button.js'
import { Checkbox, CheckboxGroup } from '../../../../ui/choices.js'
import { Dialog, DialogActions } from '../../../../ui/dialog.js'
import { Field } from '../../../../ui/field.js'
import { ErrorNotice } from '../../../../ui/notice.js'
import { useDraft } from '../../../../ui/use-draft.js'
import { api, faultsByPointer } from '../../../api/client.js'
import { webhooksQuery } from '../../../api/webhook-queries.js'
import { useMessages } from '../../../i18n/messages.js'
import { useWebhookMessages } from '../../../i18n/webhooks.js'
import styles from '../developers.module.css'
import { WebhookSecret } from './webhook-secret.js'

const kinds: EventKind[] = [
  'shipment',
  'tracking',
  'exception',
  'purchase_order',
  'document',
  'document_proposal',
  'invoice',
  'location',
  'webhook',
]

type Props = { of?: Webhook | undefined; onClose(): void }

/** Under which the form survives a reload. */
export const webhookDraft = (webhook_id = '') => `webhook ${webhook_id}`

/** Adds a webhook and shows its secret once, or changes one. */
export function WebhookForm({ of, onClose }: Props) {
  const m = useWebhookMessages()
  const { common } = useMessages()
  const client = useQueryClient()
  const [draft, change, drop] = useDraft(webhookDraft(of?.webhook_id), {
    url: of?.url ?? 'https://',
    description: of?.description ?? '',
    kinds: of?.kinds ?? [],
    ordered: of?.ordered ?? true,
  })
  const [isMissing, setMissing] = useState(false)
  const close = () => {
    drop()
    onClose()
  }
  const save = useMutation({
    mutationFn: async () => {
      const body = { ...draft, url: draft.url.trim(), description: draft.description.trim() }
      if (!of) return (await api.v1.createWebhook({ body })).secret
      await api.v1.updateWebhook({ params: { webhook_id: of.webhook_id }, body })
      return undefined
    },
    async onSuccess(secret) {
      await client.invalidateQueries({ queryKey: webhooksQuery().queryKey })
      if (secret === undefined) close()
      else drop()
    },
  })
  const faults = faultsByPointer(save.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isEmpty = !/^https?:\/\/./.test(draft.url.trim())
    setMissing(isEmpty)
    if (!isEmpty) save.mutate()
  }
  if (save.data !== undefined) return <WebhookSecret secret={save.data} onClose={onClose} />
  return (
    <Dialog title={of ? m.changeTitle : m.add} onClose={close} isPersistent>
      <form className={styles.form} onSubmit={submit} noValidate>
        <Field
          label={m.url}
          description={m.urlText}
          value={draft.url}
          maxLength={2000}
          error={isMissing ? m.urlMissing : faults['/url']}
          data-autofocus
          autoComplete="off"
          inputMode="url"
          onChange={(event) => change({ url: event.currentTarget.value })}
        />
        <Field
          label={m.description}
          value={draft.description}
          maxLength={500}
          error={faults['/description']}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
        <CheckboxGroup<EventKind>
          label={m.events}
          description={m.eventsText}
          value={draft.kinds}
          options={kinds.map((value) => ({ value, label: m.kinds[value] }))}
          onChange={(chosen) => change({ kinds: chosen })}
        />
        <Checkbox
          label={m.ordered}
          description={m.orderedText}
          checked={draft.ordered}
          onChange={(event) => change({ ordered: event.currentTarget.checked })}
        />
        {save.error && Object.keys(faults).length === 0 && <ErrorNotice error={save.error} />}
        <DialogActions>
          <Button variant="default" onClick={close}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {of ? m.save : m.add}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
