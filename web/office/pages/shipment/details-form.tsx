import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { ShipmentVersion } from '../../../../src/contract/operator/shipments.js'
import { refusalCodeOf } from '../../../portal/api/client.js'
import { Button } from '../../../ui/button.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { Field } from '../../../ui/field.js'
import { ErrorNotice } from '../../../ui/notice.js'
import actionStyles from '../../actions/actions.module.css'
import { useActions } from '../../actions/use-actions.js'
import { ops } from '../../api/ops.js'
import { type ShipmentParams, shipmentQuery } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { Conflict } from './conflict.js'
import styles from './file.module.css'
import { type Difference, differencesOf, fieldsOf, patchOf, type Values, valuesOf } from './shipment-fields.js'

type Props = { params: ShipmentParams; version: ShipmentVersion; onClose: () => void }

/** Edits a shipment. What somebody else has saved meanwhile is never overwritten: both versions are shown by field. */
export function DetailsForm({ params, version, onClose }: Props) {
  const { file: m } = useOfficeMessages()
  const client = useQueryClient()
  const { run, isBusy } = useActions()
  // The version that the form was opened with, while the page fetches newer ones.
  const [base, setBase] = useState(version)
  const [values, setValues] = useState(valuesOf(version.record))
  const [differences, setDifferences] = useState<Difference[]>()
  const [error, setError] = useState<unknown>()

  const save = (wanted: Values, from: ShipmentVersion) =>
    run(async () => {
      const before = valuesOf(from.record)
      await ops.updateShipment({ params, query: { revision: from.revision }, body: patchOf(before, wanted) })
      onClose()
      const undo = async () => {
        const { revision } = await ops.getShipment({ params })
        await ops.updateShipment({ params, query: { revision }, body: patchOf(wanted, before) })
      }
      return { text: m.done.saved, undo }
    }, onRefusal)

  async function onRefusal(refusal: unknown): Promise<void> {
    if (refusalCodeOf(refusal) !== 'shipment_changed') {
      setError(refusal)
      return
    }
    const current = await client.fetchQuery({ ...shipmentQuery(params), staleTime: 0 })
    setDifferences(differencesOf(valuesOf(base.record), values, valuesOf(current.record)))
    setBase(current)
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setError(undefined)
    void save(values, base)
  }

  if (differences) {
    return (
      <Dialog title={m.conflict} onClose={onClose} isPersistent isWide>
        <Conflict
          differences={differences}
          isBusy={isBusy}
          onChoose={(chosen) => {
            const wanted = { ...valuesOf(base.record), ...chosen }
            setValues(wanted)
            void save(wanted, base)
          }}
        />
      </Dialog>
    )
  }
  return (
    <Dialog title={m.edit} onClose={onClose} isPersistent isWide>
      <form className={actionStyles.form} onSubmit={submit}>
        <div className={styles.formRow}>
          {fieldsOf(version.record).map(({ text, type }) => (
            <Field
              key={text}
              label={m[text]}
              type={type ?? 'text'}
              value={values[text]}
              maxLength={type ? undefined : 1000}
              onChange={(event) => setValues({ ...values, [text]: event.currentTarget.value })}
            />
          ))}
        </div>
        {error !== undefined && <ErrorNotice error={error} />}
        {version.revision !== base.revision && <p className="soft small">{m.changedMeanwhile}</p>}
        <DialogActions>
          <Button type="submit" loading={isBusy}>
            {m.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
