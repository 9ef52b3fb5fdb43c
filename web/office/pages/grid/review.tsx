import { useState } from 'react'
import { Button } from '../../../ui/button.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { Notice } from '../../../ui/notice.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { type FieldName, valuesOf } from '../shipment/shipment-fields.js'
import { type CellChange, cellChangesOf, type Edit, keyOf } from './edits.js'
import styles from './grid.module.css'
import { isConflict, type Outcomes, rebased } from './write-changes.js'

type Props = {
  edits: Edit[]
  outcomes: Outcomes
  isBusy: boolean
  onWrite: (edits: Edit[]) => void
  onClose: () => void
}

type Row = CellChange & { edit: Edit; isFirst: boolean; theirs: string | undefined; problem: string | undefined }

/** What will change, by shipment and field, before anything is written. */
export function Review({ edits, outcomes, isBusy, onWrite, onClose }: Props) {
  const { grid: m, file } = useOfficeMessages()
  // Of fields that somebody else changed meanwhile, theirs are kept unless this person decides otherwise.
  const [mine, setMine] = useState<ReadonlySet<string>>(new Set())
  const refused = edits.filter((edit) => isRefused(edit, outcomes))
  const conflicts = edits.filter((edit) => isConflict(outcomes.get(keyOf(edit))))
  // What needs a decision comes first.
  const rows = [...new Set([...conflicts, ...refused, ...edits])].flatMap((edit) => rowsOf(edit, outcomes))
  const writable = edits.filter((edit) => !refused.includes(edit))

  const choose = (key: string, isMine: boolean) =>
    setMine((old) => new Set([...old].filter((other) => other !== key).concat(isMine ? [key] : [])))
  const write = () =>
    onWrite(
      writable.map((edit) => {
        const outcome = outcomes.get(keyOf(edit))
        if (!outcome || !isConflict(outcome)) return edit
        const chosen = cellChangesOf(edit).flatMap(({ field }) => (mine.has(choiceOf(edit, field)) ? field : []))
        return rebased(edit, outcome, new Set(chosen))
      }),
    )
  const option = (row: Row, isMine: boolean) => {
    const key = choiceOf(row.edit, row.field)
    return (
      <label>
        <input type="radio" name={key} checked={mine.has(key) === isMine} onChange={() => choose(key, isMine)} />{' '}
        {isMine ? m.mine(row.after || m.empty) : m.theirs(row.theirs || m.empty)}
      </label>
    )
  }

  return (
    <Dialog title={m.review} onClose={onClose} isPersistent isWide>
      <p>{m.willChange(writable.length, rows.length)}</p>
      {conflicts.length > 0 && <Notice tone="warning">{m.conflicts(conflicts.length)}</Notice>}
      {refused.length > 0 && <Notice tone="problem">{m.refused(refused.length)}</Notice>}
      <div className={styles.review}>
        <PlainTable<Row>
          label={m.review}
          rows={rows}
          rowKey={({ edit, field }) => choiceOf(edit, field)}
          isFaint={({ edit }) => refused.includes(edit)}
          columns={[
            {
              id: 'shipment',
              header: m.shipment,
              isName: true,
              cell: ({ edit, isFirst }) => (
                <span className={isFirst ? '' : 'soft'}>{`${edit.svc_shipment_id} · ${edit.account_name}`}</span>
              ),
            },
            { id: 'field', header: file.field, cell: ({ field }) => file[field] },
            {
              id: 'change',
              header: m.change,
              cell: (row) => (
                <>
                  {row.theirs === undefined ? (
                    <>
                      {row.before && <span className={styles.before}>{row.before}</span>} {row.after || m.empty}
                    </>
                  ) : (
                    <span className={styles.choices}>
                      {option(row, true)}
                      {option(row, false)}
                    </span>
                  )}
                  {row.problem !== undefined && <p className="soft small">{row.problem}</p>}
                </>
              ),
            },
          ]}
        />
      </div>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {m.back}
        </Button>
        <Button data-autofocus loading={isBusy} disabled={writable.length === 0} onClick={write}>
          {m.write(writable.length)}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

const choiceOf = (edit: Edit, field: FieldName) => `${keyOf(edit)} ${field}`

function isRefused(edit: Edit, outcomes: Outcomes): boolean {
  const outcome = outcomes.get(keyOf(edit))
  return outcome?.outcome === 'refused' && !isConflict(outcome)
}

function rowsOf(edit: Edit, outcomes: Outcomes): Row[] {
  const outcome = outcomes.get(keyOf(edit))
  const record = isConflict(outcome) ? outcome?.record : undefined
  const theirs = record && valuesOf(record)
  return cellChangesOf(edit).map((change, index) => ({
    ...change,
    edit,
    isFirst: index === 0,
    theirs: theirs && theirs[change.field] !== change.before ? theirs[change.field] : undefined,
    problem: index === 0 && isRefused(edit, outcomes) ? problemOf(outcome) : undefined,
  }))
}

function problemOf(outcome: ReturnType<Outcomes['get']>): string | undefined {
  return outcome?.errors?.map(({ pointer, detail }) => `${pointer}: ${detail}`).join('; ') ?? outcome?.detail
}
