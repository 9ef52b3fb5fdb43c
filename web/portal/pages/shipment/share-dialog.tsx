import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { mostSharedDocuments } from '../../../../src/contract/public/sharing-limits.js'
import { Button } from '../../../ui/button.js'
import { CheckboxGroup } from '../../../ui/choices.js'
import { Copyable } from '../../../ui/copyable.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { Field, SelectField } from '../../../ui/field.js'
import { ErrorNotice, Notice } from '../../../ui/notice.js'
import { useDraft } from '../../../ui/use-draft.js'
import { api, faultsByPointer } from '../../api/client.js'
import { documentsQuery, sharedLinksQuery } from '../../api/queries.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { documentTypeName } from '../documents/document-type-name.js'
import styles from '../documents/exchange/exchange.module.css'
import { isWorking, LinkList } from '../documents/exchange/link-list.js'

/** Under which the form survives a reload. */
export const sharingDraft = (shipment: string) => `sharing ${shipment}`

type SharingDraft = { name: string; days: string; shown: ('prices' | 'parties')[]; documents: string[] }

/** Creates a link for people without an account, and lists the links of the shipment. */
export function ShareDialog({ shipment, onClose }: { shipment: string; onClose(): void }) {
  const messages = useMessages()
  const { sharing: m, proposals } = messages
  const queries = useQueryClient()
  const found = useInfiniteQuery(documentsQuery({ svc_shipment_id: shipment, take: mostSharedDocuments }))
  const initial: SharingDraft = { name: '', days: '30', shown: [], documents: [] }
  const [{ name, days, shown, documents }, change, drop] = useDraft(sharingDraft(shipment), initial)
  const close = () => {
    drop()
    onClose()
  }
  const create = useMutation({
    mutationFn: () =>
      api.v1.createSharedLink({
        params: { svc_shipment_id: shipment },
        body: {
          days: Number(days),
          documents,
          prices: shown.includes('prices'),
          parties: shown.includes('parties'),
          ...(name.trim() !== '' && { name: name.trim() }),
        },
      }),
    onSuccess: () => {
      drop()
      return queries.invalidateQueries({ queryKey: ['sharing'] })
    },
  })
  const offered = found.data?.pages[0]?.documents ?? []
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }

  return (
    <Dialog title={m.title} onClose={close}>
      {create.data ? (
        <Notice tone="done" role="status" title={proposals.linkReady}>
          <Copyable text={create.data.url} className={styles.url ?? ''} />
        </Notice>
      ) : (
        <form className={styles.form} onSubmit={submit} noValidate>
          <p className="soft">{m.lead}</p>
          {create.error && <ErrorNotice error={create.error} />}
          <Field
            label={m.name}
            value={name}
            maxLength={200}
            onChange={(event) => change({ name: event.currentTarget.value })}
            error={faultsByPointer(create.error)['/name']}
            data-autofocus
          />
          <SelectField
            label={proposals.validity}
            value={days}
            options={['7', '30', '90', '365'].map((value) => ({ value, label: proposals.days(Number(value)) }))}
            onChange={(chosen) => change({ days: chosen })}
          />
          <CheckboxGroup
            label={m.shows}
            options={[
              { value: 'parties', label: m.parties },
              { value: 'prices', label: m.prices },
            ]}
            value={shown}
            onChange={(chosen) => change({ shown: chosen })}
            isStacked
          />
          {offered.length > 0 && (
            <CheckboxGroup
              label={m.documents}
              options={offered.map(({ id, name: file, type }) => ({
                value: id,
                label: documentTypeName(type, messages),
                description: file,
              }))}
              value={documents}
              onChange={(chosen) => change({ documents: chosen })}
              isStacked
            />
          )}
          <DialogActions>
            <Button type="submit" loading={create.isPending}>
              {proposals.createLink}
            </Button>
          </DialogActions>
        </form>
      )}
      <SharedLinks shipment={shipment} />
    </Dialog>
  )
}

function SharedLinks({ shipment }: { shipment: string }) {
  const { sharing: m, proposals } = useMessages()
  const f = useFormat()
  const queries = useQueryClient()
  const links = useQuery(sharedLinksQuery(shipment))
  const revoke = useMutation({
    mutationFn: (link_id: string) => api.v1.revokeSharedLink({ params: { svc_shipment_id: shipment, link_id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sharing'] }),
  })
  return (
    <LinkList
      label={proposals.links}
      links={(links.data ?? []).filter(isWorking).map(({ link_id, name, created_at, expires_at, views }) => ({
        link_id,
        name: name ?? m.createdOn(f.day(created_at)),
        facts: m.linkFacts(f.day(expires_at), views),
      }))}
      revoke={revoke}
    />
  )
}
