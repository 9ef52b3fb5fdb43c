import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Button } from '../../../../ui/button.js'
import { Copyable } from '../../../../ui/copyable.js'
import { Dialog, DialogActions } from '../../../../ui/dialog.js'
import { Field, SelectField } from '../../../../ui/field.js'
import { ErrorNotice, Notice } from '../../../../ui/notice.js'
import { useDraft } from '../../../../ui/use-draft.js'
import { api, faultsByPointer } from '../../../api/client.js'
import { supplierLinksQuery } from '../../../api/queries.js'
import { useFormat } from '../../../i18n/format.js'
import { useMessages } from '../../../i18n/messages.js'
import styles from './exchange.module.css'
import { isWorking, LinkList } from './link-list.js'

/** Under which the form survives a reload. */
export const supplierDraft = (shipment: string) => `supplier link ${shipment}`

/** Creates a link for a supplier, and lists the links of the shipment. */
export function InviteDialog({ shipment, onClose }: { shipment: string; onClose(): void }) {
  const { proposals: m } = useMessages()
  const queries = useQueryClient()
  const [{ supplier, email, days }, change, drop] = useDraft(supplierDraft(shipment), {
    supplier: '',
    email: '',
    days: '14',
  })
  const close = () => {
    drop()
    onClose()
  }
  const create = useMutation({
    mutationFn: () =>
      api.portal.createSupplierLink({
        body: {
          svc_shipment_id: shipment,
          supplier: supplier.trim(),
          days: Number(days),
          ...(email.trim() !== '' && { email: email.trim() }),
        },
      }),
    onSuccess: () => {
      drop()
      return queries.invalidateQueries({ queryKey: ['document', 'supplier-links'] })
    },
  })
  const faults = faultsByPointer(create.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }

  return (
    <Dialog title={m.invite} onClose={close}>
      {create.data ? (
        <Notice tone="done" role="status" title={create.data.mailed ? m.linkMailed(email.trim()) : m.linkReady}>
          <Copyable text={create.data.url} className={styles.url ?? ''} />
        </Notice>
      ) : (
        <form className={styles.form} onSubmit={submit} noValidate>
          <p className="soft">{m.inviteLead}</p>
          {create.error && Object.keys(faults).length === 0 && <ErrorNotice error={create.error} />}
          <Field
            label={m.supplier}
            value={supplier}
            onChange={(event) => change({ supplier: event.currentTarget.value })}
            error={faults['/supplier'] && m.supplierFault}
            data-autofocus
            required
          />
          <Field
            label={m.email}
            type="email"
            value={email}
            onChange={(event) => change({ email: event.currentTarget.value })}
            error={faults['/email'] && m.emailFault}
          />
          <SelectField
            label={m.validity}
            value={days}
            options={['7', '14', '30', '90'].map((value) => ({ value, label: m.days(Number(value)) }))}
            onChange={(chosen) => change({ days: chosen })}
          />
          <DialogActions>
            <Button type="submit" loading={create.isPending}>
              {m.createLink}
            </Button>
          </DialogActions>
        </form>
      )}
      <SupplierLinks shipment={shipment} />
    </Dialog>
  )
}

function SupplierLinks({ shipment }: { shipment: string }) {
  const { proposals: m } = useMessages()
  const f = useFormat()
  const queries = useQueryClient()
  const links = useQuery(supplierLinksQuery(shipment))
  const revoke = useMutation({
    mutationFn: (link_id: string) => api.portal.revokeSupplierLink({ params: { link_id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['document', 'supplier-links'] }),
  })
  const working = links.data?.filter(isWorking)
  return (
    <LinkList
      label={m.links}
      links={(working ?? []).map(({ link_id, supplier, expires_at, uploads }) => ({
        link_id,
        name: supplier,
        facts: m.linkFacts(f.day(expires_at.slice(0, 10)), uploads),
      }))}
      revoke={revoke}
    />
  )
}
