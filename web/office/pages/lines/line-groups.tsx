import { IconArrowsMove } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useState } from 'react'
import type { PackingPlace } from '../../../../src/domain/purchase-orders/packing.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { IconButton } from '../../../ui/button.js'
import { RowCheckbox } from '../../../ui/choices.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import styles from './lines.module.css'
import type { Piece } from './pieces.js'

const dragged = 'application/x-waybill-order-line'

/** What rows and drop targets need of the page. Without `move` nothing can be changed. */
export type Board = {
  active: string | undefined
  selected: Set<string>
  activate: (piece: Piece) => void
  select: (piece: Piece, isSelected: boolean) => void
  /** Undefined: nothing can be moved by this person. */
  edit:
    | { ask: (piece: Piece, to?: PackingPlace) => void; drop: (key: string, to: PackingPlace, isPart: boolean) => void }
    | undefined
}

type GroupProps = {
  board: Board
  place: PackingPlace
  title: ReactNode
  label: string
  /** The key that moves there. */
  shortcut?: string | undefined
  aside?: ReactNode
  children: ReactNode
}

/** A place that order lines can be dropped at. */
export function LineGroup({ board: { edit }, place, title, label, shortcut, aside, children }: GroupProps) {
  const [isOver, setOver] = useState(false)
  const target = edit && {
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes(dragged)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'move'
      setOver(true)
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      const key = event.dataTransfer.getData(dragged)
      if (key !== '') edit.drop(key, place, event.shiftKey)
    },
  }
  return (
    <section className={styles.group} aria-label={label} data-over={isOver || undefined} {...target}>
      <header className={styles.groupHead}>
        {edit && shortcut !== undefined && <kbd className={styles.key}>{shortcut}</kbd>}
        <h2>{title}</h2>
        {aside !== undefined && <span className={styles.aside}>{aside}</span>}
      </header>
      {children}
    </section>
  )
}

export function PieceTable({ label, pieces, board }: { label: string; pieces: Piece[]; board: Board }) {
  const { lines: m } = useOfficeMessages()
  return (
    <table className={styles.pieces} aria-label={label}>
      {/* The heading, which is not seen, would decide the widths. */}
      <colgroup>
        {board.edit && <col className={styles.check} />}
        <col />
        <col className={styles.figure} />
        {board.edit && <col className={styles.act} />}
      </colgroup>
      <thead className="visually-hidden">
        <tr>
          {board.edit && <th scope="col">{m.select}</th>}
          <th scope="col">{m.line}</th>
          <th scope="col">{m.quantity}</th>
          {board.edit && <th scope="col">{m.move}</th>}
        </tr>
      </thead>
      <tbody>
        {pieces.map((piece) => (
          <PieceRow key={piece.key} piece={piece} board={board} />
        ))}
      </tbody>
    </table>
  )
}

function PieceRow({ piece, board }: { piece: Piece; board: Board }) {
  const { lines: m } = useOfficeMessages()
  const f = useFormat()
  const { key, reference, line, product, quantity, place, assigned } = piece
  const { edit } = board
  const title = m.lineOf(reference, line)
  const isSelected = board.selected.has(key)
  const whole = place === 'open' ? undefined : assigned?.record.assigned_quantity
  return (
    <tr
      aria-current={board.active === key ? 'true' : undefined}
      data-selected={isSelected || undefined}
      draggable={edit !== undefined}
      onClick={() => board.activate(piece)}
      onDragStart={(event) => {
        event.dataTransfer.setData(dragged, key)
        event.dataTransfer.effectAllowed = 'move'
      }}
    >
      {edit && (
        <td className={styles.check}>
          <RowCheckbox
            label={m.selectLine(title)}
            checked={isSelected}
            onChange={(event) => board.select(piece, event.currentTarget.checked)}
          />
        </td>
      )}
      <th scope="row">
        <span className={styles.name}>
          <span className={`mono ${styles.order}`}>
            {/* Open lines are listed below their order. */}
            <span className={place === 'open' ? 'visually-hidden' : undefined}>{reference} </span>
            <span className="soft">{line}</span>
          </span>
          <span className="clipped">{product}</span>
        </span>
      </th>
      <td className={styles.figure}>
        {f.number(quantity)}
        {whole !== undefined && whole !== quantity && <span className="soft"> {m.ofAll(f.number(whole))}</span>}
      </td>
      {edit && (
        <td className={styles.act}>
          <IconButton aria-label={m.moveLine(title)} title={m.move} onClick={() => edit.ask(piece)}>
            <IconArrowsMove size={16} aria-hidden="true" />
          </IconButton>
        </td>
      )}
    </tr>
  )
}
