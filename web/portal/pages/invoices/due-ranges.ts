import { dateAfter } from '../../../../src/domain/dates/local-days.js'
import { presentDay } from '../../../ui/clock.js'
import type { InvoicesSearch } from './invoices-search.js'

/** Due dates to choose from, counted from today. */

export const dueRanges = ['past', 'week', 'month'] as const
export type DueRange = (typeof dueRanges)[number]

type Due = { due_from: string | undefined; due_to: string | undefined }

export function dueRange(range: DueRange | undefined): Due {
  if (range === undefined) return { due_from: undefined, due_to: undefined }
  const today = presentDay()
  if (range === 'past') return { due_from: undefined, due_to: dateAfter(today, -1) }
  return { due_from: today, due_to: dateAfter(today, range === 'week' ? 7 : 30) }
}

/** The range that the search has, if it is one of them. */
export function dueOf({ due_from, due_to }: InvoicesSearch): DueRange | undefined {
  return dueRanges.find((range) => {
    const due = dueRange(range)
    return due.due_from === due_from && due.due_to === due_to
  })
}
