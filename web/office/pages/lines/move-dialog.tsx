import type { FormEvent } from 'react'
import type { PackingPlace } from '../../../../src/domain/purchase-orders/packing.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { Button } from '../../../ui/button.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { Field, SelectField } from '../../../ui/field.js'
import actionStyles from '../../actions/actions.module.css'
import { useOfficeMessages } from '../../i18n/messages.js'
import type { Part } from './line-writes.js'
import type { Piece } from './pieces.js'

/** As typed: kept over a reload. */
export type Asked = { keys: string[]; to: PackingPlace | ''; quantity: string; reason: string }

type Props = {
  pieces: Piece[]
  asked: Asked
  change: (changed: Partial<Asked>) => void
  places: { value: PackingPlace; label: string }[]
  isBusy: boolean
  onMove: (parts: Part[], to: PackingPlace, reason: string | undefined) => void
  onClose: () => void
}

/** Where to, and how much of it: a part splits the line. */
export function MoveDialog({ pieces, asked, change, places, isBusy, onMove, onClose }: Props) {
  const { lines: m } = useOfficeMessages()
  const f = useFormat()
  const [piece] = pieces
  if (!piece) return null
  const isOne = pieces.length === 1
  const options = places.filter(({ value }) => !isOne || value !== piece.place)
  const to = options.find(({ value }) => value === asked.to)?.value ?? options[0]?.value
  const quantity = asked.quantity.trim() === '' ? piece.quantity : Number(asked.quantity.replace(',', '.'))
  const isNumber = quantity > 0
  const isMore = isOne && quantity > piece.quantity
  // More than is ordered needs a reason; more than there is cannot be moved.
  const isOverShipment = isMore && piece.place === 'open' && to !== 'open'
  const isPossible = to !== undefined && isNumber && (!isMore || (isOverShipment && asked.reason.trim() !== ''))
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!isPossible) return
    const parts = pieces.map((each) => ({ piece: each, quantity: isOne ? quantity : each.quantity }))
    onMove(parts, to, isOverShipment ? asked.reason.trim() : undefined)
  }
  const title = isOne ? m.lineOf(piece.reference, piece.line) : m.count(pieces.length)
  return (
    <Dialog title={`${m.move}: ${title}`} onClose={onClose} isPersistent>
      <form className={actionStyles.form} onSubmit={send}>
        {isOne && <p className="soft">{piece.product}</p>}
        {options.length > 0 && to !== undefined && (
          <SelectField label={m.to} value={to} options={options} onChange={(value) => change({ to: value })} />
        )}
        {isOne && (
          <Field
            label={m.quantity}
            description={m.ofHere(f.number(piece.quantity))}
            inputMode="decimal"
            autoComplete="off"
            data-autofocus
            value={asked.quantity}
            placeholder={String(piece.quantity)}
            error={
              !isNumber ? m.notANumber : isMore && !isOverShipment ? m.tooMany(f.number(piece.quantity)) : undefined
            }
            onChange={(event) => change({ quantity: event.currentTarget.value })}
          />
        )}
        {isOverShipment && (
          <Field
            label={m.overReason}
            maxLength={1000}
            value={asked.reason}
            onChange={(event) => change({ reason: event.currentTarget.value })}
          />
        )}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {m.cancel}
          </Button>
          <Button type="submit" loading={isBusy} disabled={!isPossible}>
            {isOne && isNumber && quantity < piece.quantity ? m.movePart(f.number(quantity)) : m.move}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
