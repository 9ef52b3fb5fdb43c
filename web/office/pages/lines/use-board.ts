import { useEffect, useRef, useState } from 'react'
import type { PackingPlace } from '../../../../src/domain/purchase-orders/packing.js'
import { useDraft } from '../../../ui/use-draft.js'
import { useActions } from '../../actions/use-actions.js'
import { useKeys } from '../../layout/keys.js'
import type { Board } from './line-groups.js'
import type { LineWrites, Part } from './line-writes.js'
import type { Asked } from './move-dialog.js'
import type { Piece } from './pieces.js'

type Given = {
  /** For what is typed and selected, which survives a reload. */
  name: string
  /** What the shipment has, and what is open. */
  panes: [Piece[], Piece[]]
  /** The containers, which the keys 1 to 9 stand for. */
  units: PackingPlace[]
  writes: LineWrites
  mayOperate: boolean
}

const notAsked: Asked = { keys: [], to: '', quantity: '', reason: '' }

/** The active line, the selected ones, what is typed, and the keys. */
export function useBoard({ name, panes, units, writes, mayOperate }: Given) {
  const { undo } = useActions()
  // Where the active line was: when it has moved away, the next one of its pane is active.
  const [place, setPlace] = useState<{ key?: string; pane: 0 | 1; index: number }>({ pane: 0, index: 0 })
  const [draft, change, drop] = useDraft(name, { ...notAsked, selected: [] as string[] })
  const all = panes.flat()
  const byKey = new Map(all.map((piece) => [piece.key, piece]))
  const selected = draft.selected.flatMap((key) => byKey.get(key) ?? [])
  const pane = panes[place.pane].length > 0 ? place.pane : panes[0].length > 0 ? 0 : 1
  const active =
    (place.key === undefined ? undefined : byKey.get(place.key)) ??
    panes[pane][Math.min(place.index, panes[pane].length - 1)]

  const activate = (piece: Piece | undefined) => {
    if (!piece) return
    const to = panes[0].includes(piece) ? 0 : 1
    setPlace({ key: piece.key, pane: to, index: panes[to].indexOf(piece) })
  }
  const setSelected = (keys: string[]) => change({ selected: keys })
  const select = (pieces: Piece[], isSelected: boolean) => {
    const keys = new Set(selected.map(({ key }) => key))
    for (const { key } of pieces) {
      if (isSelected) keys.add(key)
      else keys.delete(key)
    }
    setSelected([...keys])
  }
  const isSelected = ({ key }: Piece) => draft.selected.includes(key)
  const close = () => {
    change(notAsked)
    if (selected.length === 0) drop()
  }

  const send = async (parts: Part[], to: PackingPlace, reason?: string) => {
    if (active) activate(active)
    if (!(await writes.move(parts, to, reason))) return
    change({ ...notAsked, selected: [] })
    drop()
  }
  const whole = (pieces: Piece[]) => pieces.map((piece) => ({ piece, quantity: piece.quantity }))
  // A line that is not selected is moved alone, whatever else is.
  const meant = (piece: Piece | undefined) => (piece && !isSelected(piece) ? [piece] : selected)
  const chosen = selected.length > 0 ? selected : active ? [active] : []
  const moveTo = (to: PackingPlace | undefined) => to && chosen.length > 0 && void send(whole(chosen), to)
  const ask = (pieces: Piece[], to: PackingPlace | '' = '') =>
    pieces.length > 0 && change({ ...notAsked, keys: pieces.map(({ key }) => key), to })

  const at = active ? all.indexOf(active) : -1
  const step = (by: number, isExtending: boolean) => {
    const next = all[at + by]
    if (!next) return
    if (isExtending && mayOperate && active) select([active, next], true)
    activate(next)
  }
  const toPane = (index: 0 | 1) => activate(panes[index][0])
  const shortcuts = Object.fromEntries(
    (['loose', ...units] as PackingPlace[]).slice(0, 10).map((to, index) => [String(index), () => moveTo(to)]),
  )
  useKeys({
    j: () => step(1, false),
    k: () => step(-1, false),
    ArrowDown: () => step(1, false),
    ArrowUp: () => step(-1, false),
    h: () => toPane(0),
    l: () => toPane(1),
    ArrowLeft: () => toPane(0),
    ArrowRight: () => toPane(1),
    ...(mayOperate && {
      ...shortcuts,
      J: () => step(1, true),
      K: () => step(-1, true),
      x: () => active && select([active], !isSelected(active)),
      m: () => ask(chosen),
      u: () => moveTo('open'),
      Delete: () => moveTo('open'),
      z: undo,
    }),
  })
  useScrolledTo(active?.key)

  const asked = draft.keys.flatMap((key) => byKey.get(key) ?? [])
  const board: Board = {
    active: active?.key,
    selected: new Set(draft.selected),
    activate,
    select: (piece, isTaken) => select([piece], isTaken),
    edit: mayOperate
      ? {
          ask: (piece, to) => ask(meant(piece), to),
          drop: (key, to, isPart) => {
            const pieces = meant(byKey.get(key)).filter((piece) => piece.place !== to)
            if (isPart && pieces.length === 1) ask(pieces, to)
            else if (pieces.length > 0) void send(whole(pieces), to)
          },
        }
      : undefined,
  }
  return {
    board,
    selected,
    moveTo,
    clear: () => setSelected([]),
    dialog: mayOperate &&
      asked.length > 0 && {
        pieces: asked,
        asked: draft,
        change,
        onMove: (parts: Part[], to: PackingPlace, reason: string | undefined) => void send(parts, to, reason),
        onClose: close,
      },
  }
}

/** Not when the page opens: it begins at its top. */
function useScrolledTo(key: string | undefined): void {
  const last = useRef(key)
  useEffect(() => {
    if (last.current !== undefined && last.current !== key) {
      document.querySelector('main tr[aria-current]')?.scrollIntoView({ block: 'nearest' })
    }
    last.current = key
  }, [key])
}
