import { IconAlertTriangle } from '@tabler/icons-react'
import { Fragment, useMemo, useState } from 'react'
import type { OrderSheetCheck } from '../../../../src/contract/portal/order-sheet.js'
import { groupedBy } from '../../../../src/domain/records/grouping.js'
import { Button, TextButton } from '../../../ui/button.js'
import { Section } from '../../../ui/section.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import styles from './order-upload.module.css'
import { cellId, faultsByCell, faultsToFix, type SheetFault, type SheetRow } from './sheet-faults.js'

const rowsPerStep = 200
const faultsPerStep = 20

/** The spreadsheet with every error in its cell, and a list of errors that links to them. */
export function SheetPreview({ check }: { check: OrderSheetCheck }) {
  const m = useMessages().orderUpload
  const format = useFormat()
  const [shown, setShown] = useState(rowsPerStep)
  const toFix = useMemo(() => faultsToFix(check), [check])
  const faults = useMemo(() => faultsByCell(toFix.faults), [toFix])
  const headFaults = groupedBy(
    toFix.faults.filter(({ row }) => row === 1),
    ({ column }) => column,
  )
  const rows = check.rows.slice(0, shown)

  // The cell may not be rendered yet.
  function goTo(fault: SheetFault): void {
    const index = check.rows.findIndex(({ row, sheet }) => row === fault.row && sheet === fault.sheet)
    if (index >= shown) setShown(index + rowsPerStep)
    requestAnimationFrame(() => {
      const row = { row: fault.row, sheet: fault.sheet }
      const ids = [cellId(fault), cellId(row), headId]
      const cell = ids.map((id) => document.getElementById(id)).find((found) => found !== null)
      cell?.scrollIntoView({ block: 'center', inline: 'center' })
      cell?.focus({ preventScroll: true })
    })
  }

  return (
    <>
      {toFix.faults.length > 0 && (
        <Section title={m.faults} aside={m.faultCount(format.number(toFix.count), toFix.count)}>
          <FaultLinks faults={toFix.faults} onGo={goTo} />
        </Section>
      )}
      <Section title={m.preview} aside={m.previewOf(format.number(rows.length), format.number(check.row_count))} isBare>
        {/* Focusable, so that it can be scrolled with the keyboard. */}
        <div className={styles.scroll} role="group" aria-label={m.preview} tabIndex={0}>
          <table className={styles.sheet}>
            <caption className="visually-hidden">{m.preview}</caption>
            <thead>
              <tr>
                <th scope="col" id={headId} tabIndex={-1}>
                  {m.row}
                </th>
                {check.columns.map((column) => (
                  <HeadCell key={column} column={column} faults={headFaults.get(column)} />
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <PreviewRow key={`${row.sheet ?? ''} ${row.row}`} row={row} columns={check.columns} faults={faults} />
              ))}
            </tbody>
          </table>
        </div>
        {check.rows.length > shown && (
          <Button variant="subtle" size="sm" onClick={() => setShown(shown + rowsPerStep)}>
            {m.moreRows}
          </Button>
        )}
      </Section>
    </>
  )
}

// Headings are in row 1 of every sheet. The error of a missing heading is shown in the corner.
const headId = cellId({ row: 1 })

function HeadCell({ column, faults = [] }: { column: string; faults: SheetFault[] | undefined }) {
  const [first] = faults
  return (
    <th scope="col" {...(first && { id: cellId(first), tabIndex: -1, 'data-faulty': true })}>
      <span className="mono">{column}</span>
      {faults.map(({ detail, sheet }) => (
        <FaultText key={`${sheet} ${detail}`} detail={detail} />
      ))}
    </th>
  )
}

type PreviewRowProps = { row: SheetRow; columns: string[]; faults: Map<string, string[]> }

function PreviewRow({ row: { row, sheet, cells }, columns, faults }: PreviewRowProps) {
  const id = cellId({ row, sheet })
  const ofRow = faults.get(id)
  return (
    <tr data-faulty={ofRow !== undefined || undefined}>
      <th scope="row" id={id} tabIndex={-1}>
        {sheet === undefined ? row : `${sheet} ${row}`}
        {ofRow?.map((detail) => (
          <FaultText key={detail} detail={detail} />
        ))}
      </th>
      {columns.map((column, index) => {
        const place = cellId({ row, sheet, column })
        const details = faults.get(place)
        return (
          <td key={column} {...(details && { id: place, tabIndex: -1, 'data-faulty': true })}>
            <span className={styles.value}>{cells[index]}</span>
            {details?.map((detail) => (
              <FaultText key={detail} detail={detail} />
            ))}
          </td>
        )
      })}
    </tr>
  )
}

function FaultText({ detail }: { detail: string }) {
  const m = useMessages()
  return (
    <span className={styles.fault} title={m.orderForm.fault(detail)}>
      <IconAlertTriangle size={14} aria-hidden="true" /> {m.orderForm.fault(detail)}
    </span>
  )
}

function FaultLinks({ faults, onGo }: { faults: SheetFault[]; onGo(fault: SheetFault): void }) {
  const m = useMessages()
  const [shown, setShown] = useState(faultsPerStep)
  return (
    <>
      <ul className={styles.faultLinks}>
        {faults.slice(0, shown).map((fault, index) => (
          <li key={`${index} ${cellId(fault)}`}>
            <TextButton onClick={() => onGo(fault)}>
              {fault.sheet !== undefined && <Fragment>{fault.sheet}, </Fragment>}
              {m.orderUpload.place(fault.row, fault.column)}
            </TextButton>
            {m.common.colon}
            {m.orderForm.fault(fault.detail)}
          </li>
        ))}
      </ul>
      {faults.length > shown && (
        <Button variant="subtle" size="xs" onClick={() => setShown(shown + 10 * faultsPerStep)}>
          {m.orderUpload.moreFaults(faults.length - shown)}
        </Button>
      )}
    </>
  )
}
