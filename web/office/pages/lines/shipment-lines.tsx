import { IconChevronDown } from '@tabler/icons-react'
import { sumOf } from '../../../../src/domain/purchase-orders/assignment.js'
import { numberOf, type PackingPlace } from '../../../../src/domain/purchase-orders/packing.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { Button, TextButton } from '../../../ui/button.js'
import { Menu, MenuItem } from '../../../ui/menu.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { type Board, LineGroup, PieceTable } from './line-groups.js'
import styles from './lines.module.css'
import type { Group } from './pieces.js'

export function usePlaceNames(): (place: PackingPlace) => string {
  const { lines: m } = useOfficeMessages()
  return (place) => (place === 'open' ? m.off : place === 'loose' ? m.loose : numberOf(place) || m.unknownUnit)
}

type Props = { board: Board; groups: Group[]; unnumbered: number; onEditUnits: (() => void) | undefined }

/** What the shipment brings: in no container yet, and by container. */
export function ShipmentLines({ board, groups, unnumbered, onEditUnits }: Props) {
  const { lines: m } = useOfficeMessages()
  const { statuses } = useMessages()
  const f = useFormat()
  const nameOf = usePlaceNames()
  const isEmpty = groups.every(({ pieces }) => pieces.length === 0)
  const hasUnits = groups.some(({ unit }) => unit !== undefined)
  return (
    <>
      {groups.map(({ place, unit, pieces }, index) => {
        const name = nameOf(place)
        return (
          <LineGroup
            key={place}
            board={board}
            place={place}
            label={name}
            shortcut={index < 10 ? String(index) : undefined}
            title={place === 'loose' ? name : <span className="mono">{name}</span>}
            aside={
              <>
                {unit?.container_type && (
                  <span className={`soft ${styles.wide}`}>{statuses.containerType[unit.container_type]}</span>
                )}
                {pieces.length > 0 && <span>{m.pieces(f.number(sumOf(pieces.map(({ quantity }) => quantity))))}</span>}
              </>
            }
          >
            {pieces.length > 0 ? (
              <PieceTable label={name} pieces={pieces} board={board} />
            ) : (
              <p className={`soft ${styles.empty}`}>
                {place === 'loose' ? (isEmpty ? m.nothingAssigned : m.allPacked) : m.emptyUnit}
              </p>
            )}
          </LineGroup>
        )
      })}
      {(unnumbered > 0 || !hasUnits) && (
        <p className="soft small">
          {unnumbered > 0 ? m.unnumbered(unnumbered) : m.noUnits}{' '}
          {onEditUnits && <TextButton onClick={onEditUnits}>{m.editUnits}</TextButton>}
        </p>
      )}
    </>
  )
}

type BarProps = {
  count: number
  places: { value: PackingPlace; label: string }[]
  onMove: (to: PackingPlace) => void
  onClear: () => void
  isBusy: boolean
}

/** What can be done with several lines at once. */
export function SelectionBar({ count, places, onMove, onClear, isBusy }: BarProps) {
  const { lines: m, work } = useOfficeMessages()
  return (
    <div className={styles.bar} role="region" aria-label={m.selection}>
      <span className={`strong ${styles.barText}`}>{m.count(count)}</span>
      <Menu
        label={m.moveTo}
        side="above"
        align="end"
        trigger={(trigger) => (
          <Button loading={isBusy} rightSection={<IconChevronDown size={14} aria-hidden="true" />} {...trigger}>
            {m.moveTo}
          </Button>
        )}
      >
        {places.map(({ value, label }) => (
          <MenuItem key={value} onClick={() => onMove(value)}>
            {label}
          </MenuItem>
        ))}
      </Menu>
      <Button variant="subtle" onClick={onClear}>
        {work.clearSelection}
      </Button>
    </div>
  )
}
