import { IconArrowDown, IconArrowUp, IconPlus, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { TrackingState } from '../../../../src/contract/operator/tracking.js'
import type { Route } from '../../../../src/contract/public/shipment.js'
import { type StepType, stepTypes } from '../../../../src/contract/public/tracking.js'
import { faultsByPointer, refusalCodeOf } from '../../../portal/api/client.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { Button, IconButton } from '../../../ui/button.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { Field, SelectField } from '../../../ui/field.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { useDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { useActions } from '../../actions/use-actions.js'
import { ops } from '../../api/ops.js'
import { type ShipmentParams, trackingQuery } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { Conflict } from './conflict.js'
import { useFieldOptions } from './detail-fields.js'
import {
  isDoor,
  moved,
  planOf,
  type RouteRow,
  routeDifferences,
  rowsOfRoute,
  rowsOfSteps,
  withOwnRoute,
} from './route-rows.js'
import styles from './units.module.css'

type Props = {
  params: ShipmentParams
  /** Undefined: nothing is planned yet. */
  tracking: TrackingState | undefined
  route: Route | undefined
  onClose: () => void
}

/** As typed, with the version that it is based on: kept over a reload. */
type Draft = { revision: number | undefined; base: RouteRow[]; rows: RouteRow[] }

export const routeDraft = ({ account, svc_shipment_id }: ShipmentParams) => `route ${account} ${svc_shipment_id}`

function draftOf(tracking: TrackingState | undefined, route: Route | undefined): Draft {
  const base = tracking ? rowsOfSteps(tracking.steps) : []
  return { revision: tracking?.revision, base, rows: tracking ? base : rowsOfRoute(route) }
}

/** The places that a shipment goes by. What somebody else has saved meanwhile is decided by field. */
export function RouteDialog({ params, tracking, route, onClose }: Props) {
  const { file: m } = useOfficeMessages()
  const client = useQueryClient()
  const { run, isBusy } = useActions()
  const [draft, change, drop] = useDraft<Draft>(routeDraft(params), draftOf(tracking, route))
  const [theirs, setTheirs] = useState<Draft>()
  const [error, setError] = useState<unknown>()
  const faults = faultsByPointer(error)
  const close = () => {
    drop()
    onClose()
  }

  const write = ({ revision, rows }: Pick<Draft, 'revision' | 'rows'>) =>
    ops.planTracking({ params, query: revision === undefined ? {} : { revision }, body: planOf(rows) })

  const save = (given: Draft) => {
    setError(undefined)
    const act = async () => {
      const written = await write(given).catch(async (refusal: unknown) => {
        if (refusalCodeOf(refusal) !== 'tracking_changed') throw refusal
        const current = draftOf(await client.fetchQuery({ ...trackingQuery(params), staleTime: 0 }), undefined)
        // The revision is that of pinned dates, too, which this form does not write.
        if (JSON.stringify(current.base) === JSON.stringify(given.base)) {
          return write({ ...given, revision: current.revision })
        }
        setTheirs(current)
        throw refusal
      })
      close()
      const { base } = given
      const undo = () => write({ revision: written.revision, rows: base })
      return { text: m.done.routeSaved, ...(base.length > 0 && { undo }) }
    }
    return run(act, async (refusal) => {
      if (refusalCodeOf(refusal) !== 'tracking_changed') setError(refusal)
    })
  }

  if (theirs) {
    return (
      <Dialog title={m.conflict} onClose={close} isPersistent isWide>
        <RouteConflict
          {...{ params, theirs, isBusy }}
          mine={draft}
          onChoose={(own) => {
            const next = { ...theirs, rows: withOwnRoute(draft.base, draft.rows, theirs.base, own) }
            change(next)
            setTheirs(undefined)
            void save(next)
          }}
        />
      </Dialog>
    )
  }
  return (
    <Dialog title={m.editRoute} onClose={close} isPersistent isWide>
      <form
        className={actionStyles.form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void save(draft)
        }}
      >
        <p className="soft small">{m.routeHint}</p>
        <RouteFields account={params.account} rows={draft.rows} faults={faults} onChange={(rows) => change({ rows })} />
        {error !== undefined && Object.keys(faults).length === 0 && <ErrorNotice error={error} />}
        <DialogActions>
          <Button type="submit" loading={isBusy} disabled={draft.rows.length === 0}>
            {m.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

type FieldsProps = {
  account: string
  rows: RouteRow[]
  faults: Record<string, string>
  onChange: (rows: RouteRow[]) => void
}

/** One row a place. */
function RouteFields({ account, rows, faults, onChange }: FieldsProps) {
  const { file: m, bookings } = useOfficeMessages()
  const { statuses } = useMessages()
  const locations = useFieldOptions(account).location
  const set = (index: number, changed: Partial<RouteRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...changed } : row)))
  const faultAt = (index: number) =>
    Object.entries(faults).find(([pointer]) => pointer.startsWith(`/steps/${index}/`))?.[1]
  // A new place is on the way: before the destination.
  const add = () => {
    const end = rows.findIndex(({ type }) => type === 'destination_port' || type === 'delivery')
    onChange(rows.toSpliced(end < 0 ? rows.length : end, 0, { type: 'transshipment_port', place: '' }))
  }
  return (
    <div className={styles.units}>
      {rows.map((row, index) => {
        const name = m.placeNumber(index + 1)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: new places have no other identity
          <div key={index} className={styles.stop} role="group" aria-label={name}>
            <SelectField
              aria-label={`${m.type}, ${name}`}
              value={row.type}
              options={stepTypes.map((value: StepType) => ({ value, label: statuses.step[value] }))}
              onChange={(type) => set(index, { type, ...(isDoor(type) !== isDoor(row.type) && { place: '' }) })}
            />
            {isDoor(row.type) ? (
              <SelectField
                aria-label={`${m.place}, ${name}`}
                value={row.place}
                options={locations?.(row.place) ?? []}
                error={faultAt(index)}
                onChange={(place) => set(index, { place })}
              />
            ) : (
              <Field
                aria-label={`${m.place}, ${name}`}
                placeholder="NL/RTM"
                autoComplete="off"
                maxLength={6}
                value={row.place}
                error={faultAt(index)}
                onChange={(event) => set(index, { place: event.currentTarget.value.toUpperCase() })}
              />
            )}
            <span className={styles.tools}>
              <IconButton
                aria-label={m.earlier(name)}
                disabled={index === 0}
                onClick={() => onChange(moved(rows, index, -1))}
              >
                <IconArrowUp size={16} aria-hidden="true" />
              </IconButton>
              <IconButton
                aria-label={m.later(name)}
                disabled={index === rows.length - 1}
                onClick={() => onChange(moved(rows, index, 1))}
              >
                <IconArrowDown size={16} aria-hidden="true" />
              </IconButton>
              <IconButton
                aria-label={`${bookings.remove}: ${name}`}
                title={bookings.remove}
                onClick={() => onChange(rows.filter((_, at) => at !== index))}
              >
                <IconX size={16} aria-hidden="true" />
              </IconButton>
            </span>
          </div>
        )
      })}
      <Button size="xs" variant="default" leftSection={<IconPlus size={14} aria-hidden="true" />} onClick={add}>
        {m.addPlace}
      </Button>
    </div>
  )
}

type ConflictProps = {
  params: ShipmentParams
  mine: Draft
  theirs: Draft
  isBusy: boolean
  onChoose: (own: Set<string>) => void
}

function RouteConflict({ params, mine, theirs, isBusy, onChoose }: ConflictProps) {
  const { file: m } = useOfficeMessages()
  const { statuses } = useMessages()
  const locations = useFieldOptions(params.account).location
  const placeName = (place: string) =>
    locations?.(place).find(({ value }) => value === place && value !== '')?.label ?? place
  const nameOf = ({ type, place }: RouteRow) => `${placeName(place)} (${statuses.step[type]})`
  const rows = new Map([...mine.base, ...mine.rows, ...theirs.rows].map((row) => [row.id, row]))
  const shown = (field: string, value: string) => {
    if (field === 'step') return value === 'kept' ? m.unitKept : m.unitRemoved
    if (field === 'type') return statuses.step[value as StepType]
    if (field === 'place') return placeName(value)
    return value
      .split(' ')
      .map((id) => placeName(rows.get(id)?.place ?? id))
      .join(' – ')
  }
  return (
    <Conflict
      differences={routeDifferences(mine.base, mine.rows, theirs.base).map(({ row, field, ...each }) => ({
        ...each,
        label: row
          ? field === 'step'
            ? nameOf(row)
            : `${nameOf(row)}, ${field === 'type' ? m.type : m.place}`
          : m.sequence,
        mine: shown(field, each.mine),
        theirs: shown(field, each.theirs),
      }))}
      isBusy={isBusy}
      onChoose={onChoose}
    />
  )
}
