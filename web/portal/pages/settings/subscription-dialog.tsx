import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import {
  type ChangeType,
  changeTypes,
  type Delivery,
  deliveries,
} from '../../../../src/contract/portal/notification-kinds.js'
import type { Subscription } from '../../../../src/contract/portal/notifications.js'
import type { ExceptionKind } from '../../../../src/contract/public/exception.js'
import { changeName } from '../../../../src/domain/notifications/notification-texts.js'
import { Button } from '../../../ui/button.js'
import { CheckboxGroup } from '../../../ui/choices.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { SelectField } from '../../../ui/field.js'
import { ErrorNotice, Notice } from '../../../ui/notice.js'
import { api } from '../../api/client.js'
import { subscriptionsQuery, viewsQuery } from '../../api/queries.js'
import { useSession } from '../../api/session.js'
import { useMessages } from '../../i18n/messages.js'
import notifications from '../notifications/notifications.module.css'
import styles from './settings.module.css'

type Props = { subscription: Subscription | undefined; onClose(): void }

/** Creates or changes a subscription. */
export function SubscriptionDialog({ subscription, onClose }: Props) {
  const { notifications: m, exceptions: exceptionTexts } = useMessages()
  const { preferences } = useSession()
  const client = useQueryClient()
  const { data: views = [] } = useQuery(viewsQuery())
  // Not from the contract: its schemas would be loaded with it.
  const kinds = Object.keys(exceptionTexts.kinds) as ExceptionKind[]
  const [view, setView] = useState('')
  const [exceptions, setExceptions] = useState<ExceptionKind[]>(subscription?.exceptions ?? kinds)
  const [changes, setChanges] = useState<ChangeType[]>(subscription?.changes ?? [])
  const [delivery, setDelivery] = useState<Delivery>(subscription?.delivery ?? 'at_once')
  const [isIncomplete, setIncomplete] = useState(false)
  const save = useMutation({
    mutationFn: () => {
      const chosen = { exceptions, changes, delivery }
      if (subscription) {
        const params = { subscription_id: subscription.subscription_id }
        return api.portal.updateSubscription({ params, body: chosen })
      }
      const scope = view === '' ? ({ scope: 'all' } as const) : ({ scope: 'view', id: view } as const)
      return api.portal.createSubscription({ body: { ...scope, ...chosen } })
    },
    async onSuccess() {
      await client.invalidateQueries({ queryKey: subscriptionsQuery().queryKey })
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isEmpty = exceptions.length === 0 && changes.length === 0
    setIncomplete(isEmpty)
    if (!isEmpty) save.mutate()
  }
  const title = subscription
    ? m.editNamed(m.scopes[subscription.scope](subscription.name ?? subscription.id ?? ''))
    : m.add
  const listed = views.filter(({ page }) => page === 'shipments' || page === 'purchase_orders')
  return (
    <Dialog title={title} onClose={onClose} isWide>
      <form className={styles.stack} onSubmit={submit} noValidate>
        {save.error && <ErrorNotice error={save.error} />}
        {isIncomplete && (
          <Notice tone="problem" role="alert">
            {m.chooseKind}
          </Notice>
        )}
        {!subscription && (
          <SelectField
            label={m.covers}
            value={view}
            options={[
              { value: '', label: m.scopes.all() },
              ...listed.map(({ view_id, name }) => ({ value: view_id, label: m.scopes.view(name) })),
            ]}
            onChange={setView}
          />
        )}
        <SelectField
          label={m.delivery}
          value={delivery}
          options={deliveries.map((value) => ({ value, label: m.deliveries[value] }))}
          onChange={setDelivery}
        />
        <div className={notifications.columns}>
          <CheckboxGroup
            label={m.exceptions}
            options={kinds.map((value) => ({ value, label: exceptionTexts.kinds[value] }))}
            value={exceptions}
            onChange={setExceptions}
            isStacked
          />
          <CheckboxGroup
            label={m.changes}
            options={changeTypes.map((value) => ({ value, label: changeName(value, preferences.language) }))}
            value={changes}
            onChange={setChanges}
            isStacked
          />
        </div>
        <DialogActions>
          <Button type="submit" loading={save.isPending}>
            {m.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
