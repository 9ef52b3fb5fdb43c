import { useState } from 'react'

/** Which columns of a table are shown: the reader's choice, kept in this browser, as far as the width allows. */

export type Choice = Record<string, boolean>

type Sized = { id: string; width?: number; always?: boolean; rank?: number }

const defaultWidth = 140

export function useColumnChoice(name: string): [Choice, (choice: Choice) => void] {
  const key = `waybill.columns.${name}`
  const [choice, setChoice] = useState<Choice>(() => readChoice(key))
  const save = (next: Choice) => {
    localStorage.setItem(key, JSON.stringify(next))
    setChoice(next)
  }
  return [choice, save]
}

function readChoice(key: string): Choice {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    return typeof stored === 'object' && stored !== null ? (stored as Choice) : {}
  } catch {
    return {}
  }
}

export function isWanted({ id, always }: Sized, choice: Choice): boolean {
  return always === true || (choice[id] ?? true)
}

/** The wanted columns that fit. Those not chosen explicitly are hidden first, by their rank. */
export function columnsThatFit(columns: readonly Sized[], choice: Choice, room: number): Set<string> {
  const wanted = columns.filter((column) => isWanted(column, choice))
  const rankOf = (column: Sized) => column.rank ?? columns.indexOf(column)
  const dispensable = wanted
    .filter(({ always }) => !always)
    .toSorted((a, b) => Number(choice[a.id] ?? false) - Number(choice[b.id] ?? false) || rankOf(b) - rankOf(a))
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
  return width ?? defaultWidth
}
