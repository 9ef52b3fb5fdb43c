import { presentTime } from '../../../ui/clock.js'
import type { InvoicesSearch } from './invoices-search.js'

/** Due dates to choose from, counted from today. */

export const dueRanges = ['past', 'week', 'month'] as const
export type DueRange = (typeof dueRanges)[number]

type Due = { due_from: string | undefined; due_to: string | undefined }

export function dueRange(range: DueRange | undefined): Due {
  if (range === undefined) return { due_from: undefined, due_to: undefined }
  if (range === 'past') return { due_from: undefined, due_to: dayAfter(-1) }
  return { due_from: dayAfter(0), due_to: dayAfter(range === 'week' ? 7 : 30) }
}

/** The range that the search has, if it is one of them. */
export function dueOf({ due_from, due_to }: InvoicesSearch): DueRange | undefined {
  return dueRanges.find((range) => {
    const due = dueRange(range)
    return due.due_from === due_from && due.due_to === due_to
  })
}

function dayAfter(days: number): string {
  return new Date(presentTime() + days * 86_400_000).toISOString().slice(0, 10)
}
