import type { LineDifference } from '../../../../src/domain/purchase-orders/packing.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { Dialog } from '../../../ui/dialog.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { Conflict } from '../shipment/conflict.js'
import type { LineConflict } from './line-writes.js'
import { usePlaceNames } from './shipment-lines.js'

type Props = {
  conflict: LineConflict
  isBusy: boolean
  onChoose: (conflict: LineConflict, mine: Set<LineDifference['place']>) => Promise<boolean>
}

/** Somebody else changed the line meanwhile: both versions, by place. Closing keeps what they stored. */
export function LineConflictDialog({ conflict, isBusy, onChoose }: Props) {
  const { lines: m } = useOfficeMessages()
  const f = useFormat()
  const nameOf = usePlaceNames()
  const { change, differences } = conflict
  return (
    <Dialog
      title={m.conflict(m.lineOf(change.reference, change.line))}
      onClose={() => void onChoose(conflict, new Set())}
      isPersistent
      isWide
    >
      <Conflict
        differences={differences.map(({ place, mine, theirs, isMine }) => ({
          name: place,
          label: place === 'assigned' ? m.assigned : nameOf(place),
          mine: f.number(mine),
          theirs: f.number(theirs),
          isMine,
        }))}
        isBusy={isBusy}
        onChoose={(names) =>
          void onChoose(conflict, new Set(differences.map(({ place }) => place).filter((place) => names.has(place))))
        }
      />
    </Dialog>
  )
}
