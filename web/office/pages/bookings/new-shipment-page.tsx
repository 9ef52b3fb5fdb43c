import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { readerOf, withoutBlanks } from '../../../../src/domain/records/query-values.js'
import { faultsByPointer } from '../../../portal/api/client.js'
import { useAddressQuery } from '../../../ui/address-query.js'
import { BackLink } from '../../../ui/back-link.js'
import { Button } from '../../../ui/button.js'
import { ErrorNotice, Notice } from '../../../ui/notice.js'
import { Page } from '../../../ui/page.js'
import { Section } from '../../../ui/section.js'
import { useDraft } from '../../../ui/use-draft.js'
import { ActionsContext, useActionState } from '../../actions/use-actions.js'
import { ops, useMayDo } from '../../api/ops.js'
import { shipmentQuery } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { BookedLines } from './booked-lines.js'
import styles from './bookings.module.css'
import { EarlierShipments } from './earlier-shipments.js'
import { orderLinesOf, useSelection } from './selection.js'
import { blankDraft, createBodyOf, datesOf, draftLike, type ShipmentDraft } from './shipment-draft.js'
import { ShipmentForm } from './shipment-form.js'

type Search = { account?: string; like?: string; blank?: 'true' }

function readSearch(raw: Record<string, string>): Search {
  const { text, oneOf } = readerOf(raw)
  return withoutBlanks<Search>({ account: text('account'), like: text('like'), blank: oneOf('blank', ['true']) })
}

/** A new shipment: of the chosen order lines, like an earlier one, or of nothing. */
export function NewShipmentPage() {
  const { bookings: m } = useOfficeMessages()
  const [{ account: given = '', like, blank }] = useAddressQuery(readSearch)
  const mayOperate = useMayDo('operate')
  const { actions, outcome } = useActionState()
  return (
    <ActionsContext value={actions}>
      <Page back={<BackLink path={paths.bookings()}>{m.title}</BackLink>} title={like ? m.likeTitle(like) : m.build}>
        {outcome}
        {mayOperate ? (
          <Builder
            key={`${given} ${like} ${blank}`}
            {...{ given, like }}
            isBlank={blank === 'true'}
            actions={actions}
          />
        ) : (
          <p className="soft">{m.operationsOnly}</p>
        )}
      </Page>
    </ActionsContext>
  )
}

type Props = {
  given: string
  like: string | undefined
  isBlank: boolean
  actions: ReturnType<typeof useActionState>['actions']
}

function Builder({ given, like, isBlank, actions }: Props) {
  const { bookings: m } = useOfficeMessages()
  const router = useRouter()
  const used = useSelection()
  const takesLines = like === undefined && !isBlank
  const lines = takesLines ? Object.values(used.selection.lines) : []
  const name = takesLines ? 'shipment of lines' : `shipment ${given} ${like ?? ''}`
  const [draft, change, drop] = useDraft<ShipmentDraft>(name, {
    ...blankDraft,
    account: given,
    ...(takesLines && datesOf(used.selection)),
  })
  const account = lines.length > 0 ? used.selection.account : draft.account
  const [error, setError] = useState<unknown>()
  const faults = faultsByPointer(error)
  useTemplate(account, like, draft, change)

  const create = (event: FormEvent) => {
    event.preventDefault()
    setError(undefined)
    void actions.run(
      async () => {
        const order_lines = lines.length > 0 ? orderLinesOf(used.selection) : undefined
        const { id } = await ops.createShipment({
          params: { account },
          body: { ...createBodyOf(draft), ...(order_lines && { order_lines }) },
        })
        drop()
        if (takesLines) used.clear()
        router.history.push(paths.shipment(account, id))
        return { text: m.created(id) }
      },
      async (refusal) => setError(refusal),
    )
  }
  const shown = new Set(['/route/origin_port_unlocode', '/route/destination_port_unlocode', '/cargo_ready_date'])
  const unshown = Object.keys(faults).filter(
    (pointer) => !shown.has(pointer) && !/^\/(?:order_lines|cargo\/containers)\//.test(pointer),
  )
  return (
    <form className={styles.builder} onSubmit={create}>
      <div className={styles.form}>
        {lines.length > 0 && (
          <Section title={m.linesOf(used.selection.name)} isBare>
            <BookedLines used={used} faults={faults} />
          </Section>
        )}
        <ShipmentForm draft={{ ...draft, account }} change={change} faults={faults} isAccountFixed={lines.length > 0} />
        {error !== undefined &&
          (Object.keys(faults).length === 0 || unshown.length > 0 ? (
            <ErrorNotice error={error} />
          ) : (
            <Notice tone="problem">{m.fix(Object.keys(faults).length)}</Notice>
          ))}
        <div>
          <Button type="submit" loading={actions.isBusy} disabled={account === ''}>
            {m.create}
          </Button>
        </div>
      </div>
      {account !== '' && (
        <EarlierShipments account={account} draft={draft} onUse={(shipment) => change(draftLike(shipment))} />
      )}
    </form>
  )
}

/** Fills the form with the shipment of the address, once. */
function useTemplate(
  account: string,
  like: string | undefined,
  draft: ShipmentDraft,
  change: (changed: Partial<ShipmentDraft>) => void,
): void {
  const isWanted = like !== undefined && account !== '' && draft.like === ''
  const { data } = useQuery({ ...shipmentQuery({ account, svc_shipment_id: like ?? '' }), enabled: isWanted })
  useEffect(() => {
    if (isWanted && data) change({ ...draftLike(data.shown ?? data.record), name: data.record.name ?? '' })
  }, [isWanted, data, change])
}
