import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { ShipmentVersion } from '../../../../src/contract/operator/shipments.js'
import type { Shipment } from '../../../../src/contract/public/shipment.js'
import { faultsByPointer, refusalCodeOf } from '../../../portal/api/client.js'
import { Button } from '../../../ui/button.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { ErrorNotice, Notice } from '../../../ui/notice.js'
import { useDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { useActions } from '../../actions/use-actions.js'
import { ops } from '../../api/ops.js'
import { type ShipmentParams, shipmentQuery } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { Conflict } from './conflict.js'
import { DetailFields, useFieldOptions } from './detail-fields.js'
import { type Difference, differencesBetween, withOwn } from './differences.js'
import {
  type FieldName,
  faultOf,
  fieldNames,
  fieldsOf,
  patchOf,
  type ShipmentField,
  type Values,
  valuesOf,
} from './shipment-fields.js'

type Props = { params: ShipmentParams; version: ShipmentVersion; onClose: () => void }

/** As typed, with the version that it is based on: kept over a reload. */
type Draft = { revision: number; base: Values; values: Values }

export const detailsDraft = ({ account, svc_shipment_id }: ShipmentParams) => `details ${account} ${svc_shipment_id}`

const draftOf = ({ revision, record }: ShipmentVersion): Draft => ({
  revision,
  base: valuesOf(record),
  values: valuesOf(record),
})

/** Edits a shipment. What somebody else has saved meanwhile is never overwritten: both versions are shown by field. */
export function DetailsForm({ params, version, onClose }: Props) {
  const { file: m } = useOfficeMessages()
  const client = useQueryClient()
  const { run, isBusy } = useActions()
  const [draft, change, drop] = useDraft<Draft>(detailsDraft(params), draftOf(version))
  const [conflict, setConflict] = useState<{ differences: Difference<FieldName>[]; theirs: Draft }>()
  const [error, setError] = useState<unknown>()
  const { values, base } = draft
  const fields = fieldsOf({ freight_mode: (values.mode || undefined) as Shipment['freight_mode'] })
  const faults = faultsByPointer(error)
  const hasUnshownFaults = fields.every((field) => faultOf(field, faults) === undefined)
  const close = () => {
    drop()
    onClose()
  }

  const save = (given: Draft) => {
    setError(undefined)
    return run(
      async () => {
        const before = given.base
        const body = patchOf(before, given.values)
        await ops.updateShipment({ params, query: { revision: given.revision }, body })
        close()
        const undo = async () => {
          const { revision } = await ops.getShipment({ params })
          await ops.updateShipment({ params, query: { revision }, body: patchOf(given.values, before) })
        }
        return { text: m.done.saved, undo }
      },
      (refusal) => onRefusal(refusal, given),
    )
  }

  async function onRefusal(refusal: unknown, given: Draft): Promise<void> {
    if (refusalCodeOf(refusal) !== 'shipment_changed') return setError(refusal)
    const theirs = draftOf(await client.fetchQuery({ ...shipmentQuery(params), staleTime: 0 }))
    setConflict({ differences: differencesBetween(fieldNames, given.base, given.values, theirs.base), theirs })
  }

  if (conflict) {
    const { differences, theirs } = conflict
    return (
      <Dialog title={m.conflict} onClose={close} isPersistent isWide>
        <DetailsConflict
          {...{ differences, isBusy }}
          account={params.account}
          onChoose={(own) => {
            const next = { ...theirs, values: withOwn(theirs.base, differences, own) }
            change(next)
            setConflict(undefined)
            void save(next)
          }}
        />
      </Dialog>
    )
  }
  return (
    <Dialog title={m.edit} onClose={close} isPersistent isWide>
      <form
        className={actionStyles.form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void save(draft)
        }}
      >
        {version.revision !== draft.revision && <Notice tone="quiet">{m.changedMeanwhile}</Notice>}
        <DetailFields
          account={params.account}
          {...{ fields, values, faults }}
          onChange={(changed) => change({ values: { ...values, ...changed } })}
        />
        {error !== undefined && hasUnshownFaults && <ErrorNotice error={error} />}
        <DialogActions>
          <Button type="submit" loading={isBusy} disabled={Object.keys(patchOf(base, values)).length === 0}>
            {m.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

type ConflictProps = {
  account: string
  differences: Difference<FieldName>[]
  isBusy: boolean
  onChoose: (own: Set<string>) => void
}

function DetailsConflict({ account, differences, isBusy, onChoose }: ConflictProps) {
  const { file: m } = useOfficeMessages()
  const optionsOf = useFieldOptions(account)
  const kinds = new Map<FieldName, ShipmentField>(fieldsOf({}).map((field) => [field.text, field]))
  const shown = (name: FieldName, value: string) => {
    const kind = kinds.get(name)?.kind
    if (value === '') return ''
    if (kind === 'flag') return m.yes
    return (kind && optionsOf[kind]?.(value).find((option) => option.value === value)?.label) || value
  }
  return (
    <Conflict
      differences={differences.map(({ text, mine, theirs, isMine }) => ({
        name: text,
        label: m[text],
        mine: shown(text, mine),
        theirs: shown(text, theirs),
        isMine,
      }))}
      isBusy={isBusy}
      onChoose={onChoose}
    />
  )
}
