import { useQuery } from '@tanstack/react-query'
import { useParams, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import type { ShipmentVersion } from '../../../../src/contract/operator/shipments.js'
import { refusalCodeOf } from '../../../portal/api/client.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { BookingSection } from '../../../portal/pages/shipment/booking-section.js'
import { GoodsSection } from '../../../portal/pages/shipment/goods-section.js'
import { SectionError } from '../../../portal/pages/shipment/section-error.js'
import { BackLink } from '../../../ui/back-link.js'
import { ModeIcon } from '../../../ui/badges.js'
import { Button, ButtonLink } from '../../../ui/button.js'
import { Copyable } from '../../../ui/copyable.js'
import { Page } from '../../../ui/page.js'
import { Section } from '../../../ui/section.js'
import { SectionLinks } from '../../../ui/section-links.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { hasDraft } from '../../../ui/use-draft.js'
import { ActionsContext, useActionState, useActions } from '../../actions/use-actions.js'
import { useMayDo } from '../../api/ops.js'
import { type ShipmentParams, shipmentQuery, trackingQuery } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { useKeys } from '../../layout/keys.js'
import { paths } from '../../paths.js'
import { CustomerConversation } from '../conversation/customer-conversation.js'
import { useAccountNames } from '../my-work/item-texts.js'
import { CustomerView } from './customer-view.js'
import { DetailsForm, detailsDraft } from './details-form.js'
import { DocumentsSection } from './documents-section.js'
import { eventDraft } from './event-form.js'
import styles from './file.module.css'
import { FileExceptions } from './file-exceptions.js'
import { History, OrdersOnIt } from './file-sections.js'
import { FreeTimeSection } from './free-time-section.js'
import { InvoicesSection } from './invoices-section.js'
import { PeopleHere } from './people-here.js'
import { RouteDialog, routeDraft } from './route-dialog.js'
import { StatusMenu } from './status-menu.js'
import { TrackingEditor } from './tracking-editor.js'
import { UnitsDialog, unitsDraft } from './units-dialog.js'
import { UnitsSection } from './units-section.js'
import { usePresence } from './use-presence.js'

/** Everything about one shipment, and beside it what the customer sees. */
export function ShipmentPage() {
  const params = useParams({ strict: false }) as ShipmentParams
  const { file: m } = useOfficeMessages()
  const { data, error, refetch } = useQuery(shipmentQuery(params))
  const { actions, outcome } = useActionState()
  if (data) {
    return (
      <ActionsContext value={actions}>
        <ShipmentFile key={`${params.account} ${data.id}`} params={params} version={data} outcome={outcome} />
      </ActionsContext>
    )
  }
  return (
    <Page
      back={<BackLink path={paths.shipments()}>{m.back}</BackLink>}
      title={params.svc_shipment_id}
      isLoading={!error}
    >
      {error ? <ErrorState error={error} retry={() => void refetch()} /> : <Lines count={12} />}
    </Page>
  )
}

type FileProps = { params: ShipmentParams; version: ShipmentVersion; outcome: React.ReactNode }

function ShipmentFile({ params, version, outcome }: FileProps) {
  const { file: m, bookings } = useOfficeMessages()
  const { shipment: texts, conversation } = useMessages()
  const customer = useAccountNames()(params.account)
  const mayOperate = useMayDo('operate')
  const actions = useActions()
  const [open, setOpen] = useState<OpenForm | undefined>(mayOperate ? unfinishedForm(params) : undefined)
  const tracking = useQuery(trackingQuery(params))
  const isUntracked = refusalCodeOf(tracking.error) === 'tracking_not_found'
  const isPlannable = tracking.data !== undefined || isUntracked
  const { record, shown } = version
  const shipment = shown ?? record
  const containers = (record.cargo?.containers ?? []).flatMap(({ container_number }) => container_number ?? [])
  const router = useRouter()
  const people = usePresence(params, open && editedParts[open])
  useKeys({
    o: () => router.history.push(paths.orderLines(params.account, params.svc_shipment_id)),
    ...(mayOperate && {
      a: tracking.data && (() => setOpen('event')),
      e: () => setOpen('edit'),
      u: () => setOpen('units'),
      r: isPlannable ? () => setOpen('route') : undefined,
      z: actions.undo,
    }),
  })
  const links = [
    { anchor: 'tracking', name: m.tracking },
    { anchor: 'booking', name: texts.booking.title },
    { anchor: 'units', name: m.units },
    { anchor: 'orders', name: m.orders },
    { anchor: 'messages', name: conversation.title },
    { anchor: 'documents', name: m.documents },
    { anchor: 'invoices', name: m.invoices },
    { anchor: 'history', name: m.history },
  ]
  return (
    <Page
      back={<BackLink path={paths.shipments()}>{m.back}</BackLink>}
      title={record.name ?? version.id}
      lead={
        <span className={styles.known}>
          {record.freight_mode && <ModeIcon mode={record.freight_mode} />}
          <span>{customer}</span>
          <Copyable text={version.id} />
          <PeopleHere people={people} />
        </span>
      }
      actions={
        mayOperate && (
          <>
            {record.status && <StatusMenu params={params} status={record.status} />}
            <ButtonLink
              variant="default"
              href={paths.newShipment({ account: params.account, like: params.svc_shipment_id })}
            >
              {bookings.duplicate}
            </ButtonLink>
            <Button variant="default" onClick={() => setOpen('edit')}>
              {m.edit} <kbd className={styles.key}>e</kbd>
            </Button>
          </>
        )
      }
    >
      {outcome}
      <FileExceptions params={params} />
      <SectionLinks label={m.sections} sections={links} />
      <div className={styles.frame}>
        <div className={styles.columns}>
          <div className={styles.column}>
            {tracking.data ? (
              <TrackingEditor
                params={params}
                tracking={tracking.data}
                mode={record.freight_mode}
                containers={containers}
                isAdding={open === 'event'}
                onAdd={(isAdding) => setOpen(isAdding ? 'event' : undefined)}
                onRoute={() => setOpen('route')}
              />
            ) : (
              <Section title={m.tracking} anchor="tracking">
                {isUntracked ? (
                  <>
                    <p className="soft">{m.noTracking}</p>
                    {mayOperate && (
                      <Button onClick={() => setOpen('route')}>
                        {m.planRoute} <kbd className={styles.key}>r</kbd>
                      </Button>
                    )}
                  </>
                ) : tracking.error ? (
                  <SectionError error={tracking.error} retry={() => void tracking.refetch()} />
                ) : (
                  <Lines count={6} />
                )}
              </Section>
            )}
            {tracking.data && <FreeTimeSection params={params} containers={containers} />}
            <BookingSection shipment={shipment} />
            <UnitsSection shipment={shipment} onEdit={mayOperate ? () => setOpen('units') : undefined} />
            <GoodsSection shipment={shipment} />
            <OrdersOnIt params={params} />
            <CustomerConversation account={params.account} about={{ svc_shipment_id: params.svc_shipment_id }} />
            <DocumentsSection params={params} />
            <InvoicesSection params={params} freight_mode={record.freight_mode} />
            <History params={params} />
          </div>
          <CustomerView params={params} shipment={shipment} tracking={tracking.data?.shown} />
        </div>
      </div>
      {open === 'units' && <UnitsDialog params={params} version={version} onClose={() => setOpen(undefined)} />}
      {open === 'route' && isPlannable && (
        <RouteDialog params={params} tracking={tracking.data} route={record.route} onClose={() => setOpen(undefined)} />
      )}
      {open === 'edit' && <DetailsForm params={params} version={version} onClose={() => setOpen(undefined)} />}
    </Page>
  )
}

type OpenForm = 'event' | 'edit' | 'units' | 'route'

const editedParts = { event: 'event', edit: 'details', units: 'units', route: 'route' } as const

/** The form in which something was typed before a reload. */
function unfinishedForm(params: ShipmentParams): OpenForm | undefined {
  if (hasDraft(unitsDraft(params))) return 'units'
  if (hasDraft(detailsDraft(params))) return 'edit'
  if (hasDraft(routeDraft(params))) return 'route'
  return hasDraft(eventDraft(params)) ? 'event' : undefined
}
