import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { ShipmentVersion } from '../../../../src/contract/operator/shipments.js'
import type { Container } from '../../../../src/contract/public/shipment.js'
import { faultsByPointer, refusalCodeOf } from '../../../portal/api/client.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { Button } from '../../../ui/button.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { Field } from '../../../ui/field.js'
import { ErrorNotice, Notice } from '../../../ui/notice.js'
import { useDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { useActions } from '../../actions/use-actions.js'
import { ops } from '../../api/ops.js'
import { type ShipmentParams, shipmentQuery } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { Conflict } from './conflict.js'
import {
  haveUnitsChanged,
  renamedUnits,
  rowsOf,
  type UnitDifference,
  type UnitRow,
  unitDifferences,
  unitsOf,
  withOwnUnits,
} from './unit-rows.js'
import { UnitFields } from './units-form.js'

type Props = { params: ShipmentParams; version: ShipmentVersion; onClose: () => void }

/** As typed, with the version that it is based on: kept over a reload. */
type Draft = { revision: number; base: Container[]; rows: UnitRow[]; reason: string }

export const unitsDraft = ({ account, svc_shipment_id }: ShipmentParams) => `units ${account} ${svc_shipment_id}`

const storedUnits = ({ record }: ShipmentVersion) => record.cargo?.containers ?? []
const draftOf = (version: ShipmentVersion): Draft => ({
  revision: version.revision,
  base: storedUnits(version),
  rows: rowsOf(storedUnits(version)),
  reason: '',
})

/** Adds, changes and removes units. What somebody else has saved meanwhile is shown by field, and not overwritten. */
export function UnitsDialog({ params, version, onClose }: Props) {
  const { file: m } = useOfficeMessages()
  const client = useQueryClient()
  const { run, isBusy } = useActions()
  const [draft, change, drop] = useDraft<Draft>(unitsDraft(params), draftOf(version))
  const [theirs, setTheirs] = useState<ShipmentVersion>()
  const [error, setError] = useState<unknown>()
  const { base, rows } = draft
  const faults = faultsByPointer(error)
  const renamed = renamedUnits(rows, base)
  // Packed order lines and events name the container: another number means that the goods were moved to another one.
  const isReplacing = isOfContainer(error) && renamed.length > 0
  const close = () => {
    drop()
    onClose()
  }

  const patch = async (revision: number, units: Container[]) =>
    ops.updateShipment({ params, query: { revision }, body: { cargo: { containers: units } } })

  const write = async (given: Draft, replaces: boolean) => {
    let { revision } = given
    for (const { from, to } of replaces ? renamedUnits(given.rows, given.base) : []) {
      const named = { ...params, container_number: from }
      const body = { container_number: to, reason: given.reason.trim() }
      revision = (await ops.replaceContainer({ params: named, query: { revision }, body })).revision
    }
    return patch(revision, unitsOf(given.rows, given.base))
  }

  const save = (given: Draft, replaces: boolean): Promise<boolean> => {
    setError(undefined)
    const act = async () => {
      const written = await write(given, replaces).catch(async (refusal: unknown) => {
        if (refusalCodeOf(refusal) !== 'shipment_changed') throw refusal
        const current = await client.fetchQuery({ ...shipmentQuery(params), staleTime: 0 })
        // Other fields of the shipment, which this form does not write, are no conflict.
        if (!haveUnitsChanged(given.base, storedUnits(current)))
          return write({ ...given, revision: current.revision }, replaces)
        setTheirs(current)
        throw refusal
      })
      close()
      const text = m.done.unitsSaved
      // A replaced container does not become the former one again.
      return replaces ? { text } : { text, undo: () => patch(written.revision, given.base) }
    }
    return run(act, async (refusal) => {
      if (refusalCodeOf(refusal) !== 'shipment_changed') setError(refusal)
    })
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save(draft, isReplacing)
  }

  if (theirs) {
    const units = storedUnits(theirs)
    return (
      <UnitConflict
        differences={unitDifferences(base, rows, units)}
        isBusy={isBusy}
        onClose={close}
        onChoose={(own) => {
          const next = { ...draft, ...draftOf(theirs), rows: withOwnUnits(base, rows, units, own) }
          change(next)
          setTheirs(undefined)
          void save(next, false)
        }}
      />
    )
  }
  return (
    <Dialog title={m.editUnits} onClose={close} isPersistent isWide>
      <form className={actionStyles.form} onSubmit={submit}>
        <p className="soft small">{m.unitsHint}</p>
        <UnitFields rows={rows} faults={faults} onChange={(changed) => change({ rows: changed })} />
        {isReplacing ? (
          <>
            <Notice tone="warning" title={renamed.map(({ from, to }) => m.replaces(from, to)).join(' ')}>
              {m.replacesText}
            </Notice>
            <Field
              label={m.reason}
              value={draft.reason}
              maxLength={1000}
              onChange={(event) => change({ reason: event.currentTarget.value })}
            />
          </>
        ) : (
          error !== undefined && Object.keys(faults).length === 0 && <ErrorNotice error={error} />
        )}
        <DialogActions>
          <Button type="submit" loading={isBusy} disabled={isReplacing && draft.reason.trim() === ''}>
            {isReplacing ? m.replaceAndSave : m.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

type ConflictProps = {
  differences: UnitDifference[]
  isBusy: boolean
  onClose: () => void
  onChoose: (own: Set<string>) => void
}

function UnitConflict({ differences, isBusy, onClose, onChoose }: ConflictProps) {
  const { file: m, bookings } = useOfficeMessages()
  const { statuses } = useMessages()
  const shown = ({ field }: UnitDifference, value: string) => {
    if (field === 'unit') return value === 'kept' ? m.unitKept : m.unitRemoved
    const types: Partial<Record<string, string>> = statuses.containerType
    return field === 'type' ? (types[value] ?? value) : value
  }
  const nameOf = ({ unit: { number, place }, field }: UnitDifference) => {
    const unit = number || bookings.unit(place)
    return field === 'unit' ? unit : `${unit}, ${m[field]}`
  }
  return (
    <Dialog title={m.conflict} onClose={onClose} isPersistent isWide>
      <Conflict
        differences={differences.map((each) => ({
          name: each.name,
          label: nameOf(each),
          mine: shown(each, each.mine),
          theirs: shown(each, each.theirs),
          isMine: each.isMine,
        }))}
        isBusy={isBusy}
        onChoose={onChoose}
      />
    </Dialog>
  )
}

function isOfContainer(error: unknown): boolean {
  const code = refusalCodeOf(error)
  return code === 'container_packed' || code === 'container_has_events'
}
