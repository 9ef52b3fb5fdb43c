import { useState } from 'react'

/** Which columns of a table somebody wants to see, remembered in this browser; and which of them there is room for. */

export type Choice = Record<string, boolean>

type Sized = { id: string; width?: number; always?: boolean }

const usualWidth = 140

export function useChosenColumns(name: string): [Choice, (choice: Choice) => void] {
  const key = `waybill.columns.${name}`
  const [choice, setChoice] = useState<Choice>(() => readChoice(key))
  const keep = (next: Choice) => {
    localStorage.setItem(key, JSON.stringify(next))
    setChoice(next)
  }
  return [choice, keep]
}

function readChoice(key: string): Choice {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    return typeof kept === 'object' && kept !== null ? (kept as Choice) : {}
  } catch {
    return {}
  }
}

export function isWanted({ id, always }: Sized, choice: Choice): boolean {
  return always === true || (choice[id] ?? true)
}

/** The columns that are wanted and fit. Where it is narrow, those that nobody chose give way first, the last one first. */
export function columnsThatFit(columns: readonly Sized[], choice: Choice, room: number): Set<string> {
  const wanted = columns.filter((column) => isWanted(column, choice))
  const dispensable = wanted
    .filter(({ always }) => !always)
    .toReversed()
    .toSorted((a, b) => Number(choice[a.id] ?? false) - Number(choice[b.id] ?? false))
  const shown = new Map(wanted.map((column) => [column.id, widthOf(column)]))
  let needed = [...shown.values()].reduce((sum, width) => sum + width, 0)
  for (const column of dispensable) {
    if (needed <= room) break
    shown.delete(column.id)
    needed -= widthOf(column)
  }
  return new Set(shown.keys())
}

export function widthOf({ width }: Sized): number {
  return width ?? usualWidth
}
