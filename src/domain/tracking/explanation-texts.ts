import type { Milestone } from './milestones.js'

/** The explanation of a date in a sentence or two, in one language. */
export type ExplanationTexts = {
  happened(milestone: Milestone, day: string): string
  expected: Record<'planned' | 'estimated' | 'problem', (day: string) => string>
  /** An event: what was reported, of which container, by whom and when. */
  reported(given: EventParts): string
  replaces(day: string): string
  /** Between a statement and its reason, and between two reasons. */
  colon: string
  semicolon: string
  pinned(reason: string): string
  firstPlan: string
  given: string
  ofOthers: string
  happenedToOthers: string
  /** Of an event that only comes near. */
  nearest(evidence: string): string
  lastOf(count: number): string
  reachedBy(count: number, all: number): string
  problem(what: string): string
  implied(what: string): string
  onBoard(what: string): string
  moved(day: string, before: Milestone): string
  conflict(source: string | undefined, day: string): string
  stale: string
  /** The day may be another one. */
  assumedZone: string
  unknown: string
  /** What would change the date. */
  changedBy: Record<'happened' | 'problem' | 'expected', string>
}

type EventParts = { what: string; container: string | undefined; source: string | undefined; day: string | undefined }

const done: Record<Milestone, string> = {
  pickup_date: 'Picked up',
  departure_date: 'Departed',
  arrival_date: 'Arrived',
  delivery_date: 'Delivered',
}
const names: Record<Milestone, string> = {
  pickup_date: 'pick-up',
  departure_date: 'departure',
  arrival_date: 'arrival',
  delivery_date: 'delivery',
}

export const englishExplanation: ExplanationTexts = {
  happened: (milestone, day) => `${done[milestone]} on ${day}`,
  expected: {
    planned: (day) => `Planned for ${day}`,
    estimated: (day) => `Estimated for ${day}`,
    problem: (day) => `Last expected on ${day}`,
  },
  reported: ({ what, container, source, day }) =>
    `"${what}"${container ? ` of ${container}` : ''}${source ? `, from ${source}` : ''}${day ? `, said on ${day}` : ''}`,
  replaces: (day) => `it replaces ${day}`,
  colon: ': ',
  semicolon: '; ',
  pinned: (reason) => `set by the forwarder (${reason})`,
  firstPlan: 'the first plan, and nothing newer is known',
  given: 'given with the shipment',
  ofOthers: 'what is expected of the other containers',
  happenedToOthers: 'when the other containers did',
  nearest: (evidence) => `nothing nearer is known than ${evidence}`,
  lastOf: (count) => `The last of ${count} containers`,
  reachedBy: (count, all) => `${count} of ${all} containers have done so already`,
  problem: (what) => `Problem: ${what}`,
  implied: (what) => `It must have happened, since there is "${what}"`,
  onBoard: (what) => `It is on board, since there is "${what}"`,
  moved: (day, before) => `Moved from ${day}, since it cannot be before the ${names[before]}`,
  conflict: (source, day) => `${source ?? 'Another report'} says ${day}`,
  stale: 'That has passed, and nothing reports that it happened',
  assumedZone: 'Its time zone is not known, and UTC is assumed: the day at the place may be another one',
  unknown: 'No date is known',
  changedBy: {
    happened: 'A correction by its source.',
    problem: 'The end of the problem, a newer date, or that it happens.',
    expected: 'A newer date, or that it happens.',
  },
}
