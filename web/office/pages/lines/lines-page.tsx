import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { ShipmentVersion } from '../../../../src/contract/operator/shipments.js'
import { readerOf, withoutBlanks } from '../../../../src/domain/records/query-values.js'
import { SectionError } from '../../../portal/pages/shipment/section-error.js'
import { useAddressQuery } from '../../../ui/address-query.js'
import { BackLink } from '../../../ui/back-link.js'
import { Button } from '../../../ui/button.js'
import { Page } from '../../../ui/page.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { hasDraft } from '../../../ui/use-draft.js'
import { ActionsContext, useActionState } from '../../actions/use-actions.js'
import { type OpenOrder, openOrdersQuery } from '../../api/bookings.js'
import { useMayDo } from '../../api/ops.js'
import { assignedLinesQuery, type OrderLine, type ShipmentParams, shipmentQuery } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { useKeys } from '../../layout/keys.js'
import { paths } from '../../paths.js'
import { UnitsDialog, unitsDraft } from '../shipment/units-dialog.js'
import { LineConflictDialog } from './line-conflict.js'
import { useLineWrites } from './line-writes.js'
import styles from './lines.module.css'
import { MoveDialog } from './move-dialog.js'
import { linesAtFirst, OpenLines } from './open-lines.js'
import { groupsOf, lineKey, openPieces } from './pieces.js'
import { SelectionBar, ShipmentLines, usePlaceNames } from './shipment-lines.js'
import { useBoard } from './use-board.js'

type Search = { q?: string | undefined }

function readSearch(raw: Record<string, string>): Search {
  return withoutBlanks<Search>({ q: readerOf(raw).text('q') })
}

/** The order lines of a shipment by container, and beside them what can be assigned to it. */
export function LinesPage() {
  const params = useParams({ strict: false }) as ShipmentParams
  const { lines: m } = useOfficeMessages()
  const { data, error, refetch } = useQuery(shipmentQuery(params))
  const { actions, outcome } = useActionState()
  const back = (
    <BackLink path={paths.shipment(params.account, params.svc_shipment_id)}>
      {data?.record.name ?? params.svc_shipment_id}
    </BackLink>
  )
  if (data) {
    return (
      <ActionsContext value={actions}>
        <OrderLines key={`${params.account} ${data.id}`} {...{ params, back, outcome }} version={data} />
      </ActionsContext>
    )
  }
  return (
    <Page back={back} title={m.title} isLoading={!error}>
      {error ? <ErrorState error={error} retry={() => void refetch()} /> : <Lines count={12} />}
    </Page>
  )
}

type Props = { params: ShipmentParams; version: ShipmentVersion; back: React.ReactNode; outcome: React.ReactNode }

function OrderLines({ params, version, back, outcome }: Props) {
  const { lines: m } = useOfficeMessages()
  const mayOperate = useMayDo('operate')
  const [{ q = '' }, changeSearch] = useAddressQuery(readSearch)
  const assigned = useQuery(assignedLinesQuery(params))
  const found = useInfiniteQuery(openOrdersQuery({ account: params.account, ...(q !== '' && { q }) }))
  const [opened, setOpened] = useState<Set<string>>(new Set())
  // What was typed before a reload.
  const [isEditing, setEditing] = useState(mayOperate && hasDraft(unitsDraft(params)))
  useKeys({ e: mayOperate ? () => setEditing(true) : undefined })
  const units = version.record.cargo?.containers
  const groups = useMemo(() => groupsOf(assigned.data ?? [], units ?? []), [assigned.data, units])
  const orders = useMemo(
    () => openOrdersOf(found.data?.pages.flatMap((page) => page.orders) ?? [], assigned.data ?? [], opened),
    [found.data, assigned.data, opened],
  )
  const writes = useLineWrites(params)
  const { board, dialog, selected, moveTo, clear } = useBoard({
    name: `lines ${params.account} ${params.svc_shipment_id}`,
    panes: [groups.flatMap(({ pieces }) => pieces), orders.flatMap(({ pieces }) => pieces)],
    units: groups.flatMap(({ place }) => (place === 'loose' ? [] : [place])),
    writes,
    mayOperate,
  })
  const nameOf = usePlaceNames()
  const places = [...groups.map(({ place }) => place), 'open' as const].map((value) => ({
    value,
    label: nameOf(value),
  }))
  const lines = assigned.data ?? []
  const loose = groups[0]?.pieces.length ?? 0
  return (
    <Page
      back={back}
      title={m.title}
      lead={assigned.data && m.lead(lines.length, loose)}
      actions={
        mayOperate && (
          <Button variant="default" onClick={() => setEditing(true)}>
            {m.editUnits} <kbd className={styles.key}>e</kbd>
          </Button>
        )
      }
      isLoading={assigned.isPending}
    >
      {outcome}
      {mayOperate ? <p className={`soft small ${styles.hint}`}>{m.hint}</p> : <p className="soft">{m.readOnly}</p>}
      <div className={styles.frame}>
        <div className={styles.board}>
          <div className={styles.shipment}>
            {assigned.data ? (
              <ShipmentLines
                board={board}
                groups={groups}
                unnumbered={(units ?? []).filter(({ container_number }) => !container_number).length}
                onEditUnits={mayOperate ? () => setEditing(true) : undefined}
              />
            ) : assigned.error ? (
              <SectionError error={assigned.error} retry={() => void assigned.refetch()} />
            ) : (
              <Lines count={8} />
            )}
          </div>
          <div className={styles.open}>
            <OpenLines
              board={board}
              orders={orders}
              found={found}
              q={q}
              onSearch={(text) => changeSearch({ q: text || undefined })}
              onOpen={({ reference }) => setOpened(new Set([...opened, reference]))}
            />
          </div>
        </div>
      </div>
      {board.edit && selected.length > 0 && (
        <SelectionBar count={selected.length} places={places} onMove={moveTo} onClear={clear} isBusy={writes.isBusy} />
      )}
      {dialog && <MoveDialog {...dialog} places={places} isBusy={writes.isBusy} />}
      {isEditing && <UnitsDialog params={params} version={version} onClose={() => setEditing(false)} />}
      {writes.conflict && (
        <LineConflictDialog
          key={lineKey(writes.conflict.change)}
          conflict={writes.conflict}
          isBusy={writes.isBusy}
          onChoose={writes.decide}
        />
      )}
    </Page>
  )
}

function openOrdersOf(orders: OpenOrder[], lines: OrderLine[], opened: Set<string>) {
  const known = new Map(lines.map((line) => [lineKey(line.record), line]))
  return orders.map((order) => {
    const pieces = openPieces(order, known)
    return { order, pieces: opened.has(order.reference) ? pieces : pieces.slice(0, linesAtFirst) }
  })
}
