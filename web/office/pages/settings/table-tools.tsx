import { IconDownload, IconUpload } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { readResponse } from '../../../../src/client/response.js'
import type { FreeTimeTableResult } from '../../../../src/contract/operator/free-time.js'
import { Button, ButtonLink } from '../../../ui/button.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import actionStyles from '../../actions/actions.module.css'
import { useActions } from '../../actions/use-actions.js'
import { options, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { useKeys } from '../../layout/keys.js'

type Table = 'terms' | 'working_days'

async function send(table: Table, file: File, isCheck: boolean): Promise<FreeTimeTableResult> {
  const address = `/ops/v1/freeTimeTables?table=${table}${isCheck ? '&check=true' : ''}`
  const headers = { 'content-type': 'application/octet-stream' }
  const sent = options.fetch(address, { method: 'POST', body: file, headers })
  return (await readResponse(sent)).data as FreeTimeTableResult
}

/** Export and import of a table. What would change is shown before anything does. `n` adds a row. */
export function TableTools({ table, add, onAdd }: { table: Table; add: string; onAdd: () => void }) {
  const { settings: m } = useOfficeMessages()
  const { run, isBusy } = useActions()
  const mayOperate = useMayDo('operate')
  const input = useRef<HTMLInputElement>(null)
  const [checked, setChecked] = useState<{ file: File; result: FreeTimeTableResult }>()
  useKeys({ n: mayOperate ? onAdd : undefined })
  const check = (file: File | undefined) => {
    if (!file) return
    void run(async () => {
      setChecked({ file, result: await send(table, file, true) })
      return { text: m.checked }
    })
  }
  const importIt = () =>
    checked &&
    run(async () => {
      const result = await send(table, checked.file, false)
      setChecked(undefined)
      return { text: m.imported(result.created, result.updated) }
    })
  const reason = mayOperate ? undefined : m.operationsOnly
  return (
    <div className={actionStyles.actions}>
      <Button size="xs" disabled={!mayOperate} title={reason} onClick={onAdd}>
        {add} <kbd>n</kbd>
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={!mayOperate || isBusy}
        title={reason}
        leftSection={<IconUpload size={16} aria-hidden="true" />}
        onClick={() => input.current?.click()}
      >
        {m.import}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.xlsx"
        aria-label={m.import}
        onChange={(event) => {
          check(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
      <ButtonLink
        size="xs"
        variant="default"
        download
        href={`/ops/v1/freeTimeTables?table=${table}&format=csv`}
        leftSection={<IconDownload size={16} aria-hidden="true" />}
      >
        {m.export}
      </ButtonLink>
      {reason && <span className="soft small">{reason}</span>}
      {checked && (
        <Dialog title={m.importTitle(checked.file.name)} onClose={() => setChecked(undefined)} isWide>
          <Preview result={checked.result} />
          <DialogActions>
            <Button variant="default" onClick={() => setChecked(undefined)}>
              {m.cancel}
            </Button>
            <Button
              loading={isBusy}
              disabled={checked.result.faults.length > 0 || checked.result.changes.length === 0}
              onClick={() => void importIt()}
            >
              {m.import}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </div>
  )
}

function Preview({ result: { rows, changes, faults } }: { result: FreeTimeTableResult }): ReactNode {
  const { settings: m } = useOfficeMessages()
  if (faults.length > 0) {
    return (
      <>
        <p>{m.faults(faults.length)}</p>
        <ul>
          {faults.slice(0, 20).map(({ row, column, detail }) => (
            <li key={`${row} ${column}`}>{m.fault(row, column, detail)}</li>
          ))}
        </ul>
      </>
    )
  }
  if (changes.length === 0) return <p>{m.nothingChanges(rows)}</p>
  return (
    <>
      <p>{m.changes(changes.length, rows)}</p>
      <ul>
        {changes.slice(0, 20).map(({ id, what, fields }) => (
          <li key={id}>
            <span className="mono">{id}</span> {m.what[what]} <span className="soft">{fields.join(', ')}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
