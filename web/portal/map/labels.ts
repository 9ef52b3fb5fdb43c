/** Places labels beside their markers without overlaps. */

export const sides = ['right', 'left', 'above', 'below'] as const
export type Side = (typeof sides)[number]

/** The centre of a marker and the size of its label, in pixels. Lower ranks are placed first. */
export type Labelled = { x: number; y: number; width: number; height: number; rank: number; prefers?: Side }
export type Box = { left: number; top: number; right: number; bottom: number }

const markSize = 12
const gap = 4

type View = { width: number; height: number; blocked?: Box[] }

/** The side of each label; undefined if it does not fit. */
export function placeLabels(labels: Labelled[], view: View): (Side | undefined)[] {
  const chosen: (Side | undefined)[] = labels.map(() => undefined)
  const taken = [...labels.map(({ x, y }) => boxAround(x, y)), ...(view.blocked ?? [])]
  const inOrder = labels
    .map((label, index) => ({ label, index }))
    .toSorted((one, other) => one.label.rank - other.label.rank)
  for (const { label, index } of inOrder) {
    const others = taken.filter((_, place) => place !== index)
    const inTurn = label.prefers ? [label.prefers, ...sides] : sides
    const side = inTurn.find((each) => {
      const box = labelBox(label, each)
      return isInside(box, view) && !others.some((other) => overlap(box, other))
    })
    if (!side) continue
    chosen[index] = side
    taken.push(labelBox(label, side))
  }
  return chosen
}

export function boxAround(x: number, y: number): Box {
  const half = markSize / 2
  return { left: x - half, top: y - half, right: x + half, bottom: y + half }
}

export function labelBox({ x, y, width, height }: Labelled, side: Side): Box {
  const away = markSize / 2 + gap
  const left = side === 'right' ? x + away : side === 'left' ? x - away - width : x - width / 2
  const top = side === 'above' ? y - away - height : side === 'below' ? y + away : y - height / 2
  return { left, top, right: left + width, bottom: top + height }
}

export function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
}

export function isInside({ left, top, right, bottom }: Box, { width, height }: View): boolean {
  return left >= 0 && top >= 0 && right <= width && bottom <= height
}
