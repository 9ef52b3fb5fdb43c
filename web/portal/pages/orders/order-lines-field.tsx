import { IconPlus } from '@tabler/icons-react'
import { type ClipboardEvent, type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { Button, TextButton } from '../../../ui/button.js'
import { Asterisk } from '../../../ui/field.js'
import { useMessages } from '../../i18n/messages.js'
import {
  emptyLine,
  type LineActions,
  type LineDraft,
  type LineField,
  linePointer,
  linePointers,
  newKey,
  type OrderDraft,
} from './order-draft.js'
import form from './order-form.module.css'
import { OrderLineRow } from './order-line-row.js'
import styles from './order-lines.module.css'
import { isTable, lineColumns, pasteInto } from './pasted-lines.js'

type OrderLinesFieldProps = {
  lines: LineDraft[]
  /** Errors by JSON pointer, translated. */
  faults: Record<string, string>
  change(next: (draft: OrderDraft) => OrderDraft, pointer?: string): void
  leave(pointer: string): void
}

type Removed = { line: LineDraft; index: number }

/** The lines of an order as an editable table. Rows of a spreadsheet can be pasted. */
export function OrderLinesField({ lines, faults, change, leave }: OrderLinesFieldProps) {
  const m = useMessages()
  const [removed, setRemoved] = useState<Removed>()
  const [message, setMessage] = useState('')
  const table = useRef<HTMLTableElement>(null)
  const faultsOfLines = useMemo(() => byLine(faults), [faults])

  const actions = useMemo<LineActions>(() => {
    const edit = (next: (lines: LineDraft[]) => LineDraft[], pointer?: string) =>
      change((draft) => ({ ...draft, lines: next(draft.lines) }), pointer)
    return {
      leave,
      change: (key, changes, pointer) =>
        edit((all) => all.map((line) => (line.key === key ? { ...line, ...changes } : line)), pointer),
      copy: (key) =>
        edit((all) =>
          all.flatMap((line) => (line.key === key ? [line, { ...line, key: newKey(), reference: '' }] : [line])),
        ),
      remove(line, index) {
        setRemoved({ line, index })
        edit((all) => all.filter((each) => each.key !== line.key))
      },
    }
  }, [change, leave])

  function setLines(next: (lines: LineDraft[]) => LineDraft[]): void {
    setRemoved(undefined)
    change((draft) => ({ ...draft, lines: next(draft.lines) }))
  }

  function focus(line: number, field: LineField): void {
    // The row may not be rendered yet.
    requestAnimationFrame(() => {
      const pointer = linePointer(line, linePointers[field])
      table.current?.querySelector<HTMLElement>(`[name="${pointer}"]`)?.focus()
    })
  }

  function add(field: LineField = 'sku'): void {
    const currency = lines.at(-1)?.currency ?? ''
    setLines((all) => [...all, emptyLine({ currency })])
    focus(lines.length, field)
  }

  function paste(event: ClipboardEvent<HTMLElement>): void {
    const at = cellOf(event.target)
    const text = event.clipboardData.getData('text/plain')
    if (!at || !isTable(text)) return
    event.preventDefault()
    const next = pasteInto(lines, text, at)
    setLines(() => next.lines)
    const leftOut = next.leftOut.length > 0 ? ` ${m.orderForm.leftOut(next.leftOut.join(', '))}` : ''
    setMessage(m.orderForm.pasted(next.lines.length) + leftOut)
  }

  // As in a spreadsheet, Enter moves to the line below instead of submitting.
  function goDown(event: KeyboardEvent<HTMLElement>): void {
    const at = event.key === 'Enter' ? cellOf(event.target) : undefined
    if (!at || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (at.line + 1 < lines.length) focus(at.line + 1, at.field)
    else add(at.field)
  }

  return (
    <div className={styles.lines}>
      <table ref={table} className={styles.table} onPaste={paste} onKeyDown={goDown} aria-label={m.orderForm.lines}>
        <thead>
          <tr>
            {lineColumns.map((field) => (
              <th key={field} scope="col" className={styles[field]}>
                {m.orderForm.fields[field]}
                {(field === 'sku' || field === 'ordered_quantity') && <Asterisk />}
              </th>
            ))}
            <th scope="col" className={styles.actions}>
              <span className="visually-hidden">{m.orderForm.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <OrderLineRow
              key={line.key}
              line={line}
              index={index}
              faults={faultsOfLines.get(index)}
              isOnly={lines.length === 1}
              actions={actions}
            />
          ))}
        </tbody>
      </table>
      <div className={styles.underLines}>
        <Button variant="default" size="sm" leftSection={<IconPlus size={16} />} onClick={() => add()}>
          {m.orderForm.addLine}
        </Button>
        <p className={form.hint} aria-live="polite">
          {removed ? (
            <>
              {m.orderForm.lineRemoved(removed.index + 1)}{' '}
              <TextButton onClick={() => setLines((all) => all.toSpliced(removed.index, 0, removed.line))}>
                {m.orderForm.undo}
              </TextButton>
            </>
          ) : (
            message || m.orderForm.pasteHint
          )}
        </p>
      </div>
    </div>
  )
}

function cellOf(target: EventTarget): { line: number; field: LineField } | undefined {
  const { field, line } = (target as HTMLElement).dataset
  if (field === undefined || line === undefined) return undefined
  return (lineColumns as readonly string[]).includes(field)
    ? { line: Number(line), field: field as LineField }
    : undefined
}

function byLine(faults: Record<string, string>): Map<number, Record<string, string>> {
  const lines = new Map<number, Record<string, string>>()
  for (const [pointer, detail] of Object.entries(faults)) {
    const [, index, rest] = /^\/product_lines\/(\d+)(\/.+)$/.exec(pointer) ?? []
    if (index === undefined || rest === undefined) continue
    lines.set(Number(index), { ...lines.get(Number(index)), [rest]: detail })
  }
  return lines
}
