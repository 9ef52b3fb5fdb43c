import type { ExplainedEvent, MilestoneExplanation } from '../../contract/public/explanation.js'
import type { Milestone } from './milestones.js'

/** The explanation of a date in a sentence or two, in one language. */
export type ExplanationTexts = {
  happened(milestone: Milestone, day: string): string
  expected: Record<'planned' | 'estimated' | 'problem', (day: string) => string>
  /** What was said, of which container, by whom and when. */
  said(given: Said): string
  replaces(day: string): string
  pinned(reason: string): string
  firstPlan: string
  given: string
  ofOthers: string
  happenedToOthers: string
  lastOf(count: number): string
  reachedBy(count: number, all: number): string
  problem(what: string): string
  implied(what: string): string
  moved(day: string, before: Milestone): string
  conflict(source: string | undefined, day: string): string
  stale: string
  unknown: string
  /** What would change the date. */
  changedBy: Record<'happened' | 'problem' | 'expected', string>
}

type Said = { what: string; container: string | undefined; source: string | undefined; day: string | undefined }

/** A day within a sentence. */
type Day = (date: string) => string

type Explained = Omit<MilestoneExplanation, 'sentence' | 'changed_by'>

export function explanationSentence(explanation: Explained, texts: ExplanationTexts, dayOf: Day): string {
  const { date, rule, event, problem, implied_by, moved_from, conflicts_with, stale, milestone } = explanation
  if (!date?.date) return `${texts.unknown}.`
  const day = dayOf(date.date)
  const main = rule === 'happened' ? texts.happened(milestone, day) : texts.expected[expectedStatus(date.status)](day)
  const why = reasonOf(explanation, event, texts, dayOf)
  const sentences = [why ? `${main}: ${why}` : main]
  if (problem) sentences.unshift(texts.problem(nameOf(problem)))
  if (implied_by) sentences.push(texts.implied(nameOf(implied_by)))
  if (moved_from)
    sentences.push(texts.moved(dayOf(moved_from), milestone === 'arrival_date' ? 'departure_date' : 'arrival_date'))
  if (stale) sentences.push(texts.stale)
  if (conflicts_with?.date) sentences.push(texts.conflict(conflicts_with.source, dayOf(conflicts_with.date)))
  const units = unitsClause(explanation, texts)
  if (units) sentences.push(units)
  return sentences.map((sentence) => `${sentence}.`).join(' ')
}

export function changedBy({ rule, problem }: Explained, texts: ExplanationTexts): string {
  return texts.changedBy[rule === 'happened' ? 'happened' : problem ? 'problem' : 'expected']
}

function expectedStatus(status: string): 'planned' | 'estimated' | 'problem' {
  return status === 'planned' || status === 'problem' ? status : 'estimated'
}

function reasonOf(
  { rule, pin_reason, other_events }: Explained,
  event: ExplainedEvent | undefined,
  texts: ExplanationTexts,
  dayOf: Day,
): string | undefined {
  if (rule === 'pinned') return texts.pinned(pin_reason ?? '')
  if (rule === 'first_plan') return texts.firstPlan
  if (rule === 'given') return texts.given
  if (rule === 'expected_of_others') return texts.ofOthers
  if (rule === 'happened_to_others') return texts.happenedToOthers
  if (!event) return undefined
  const { source, issued_at, container_number: container } = event
  const day = issued_at === undefined ? undefined : dayOf(issued_at)
  const said = texts.said({ what: nameOf(event), container, source, day })
  // What was said last of the same, with another date; evidence of another kind is not replaced.
  const isReplaced = ({ reason, event: other }: Explained['other_events'][number]) =>
    reason === 'replaced' && other.code === event.code && other.date !== event.date
  const replaced = rule === 'expected' ? other_events.find(isReplaced)?.event.date : undefined
  return replaced === undefined ? said : `${said}; ${texts.replaces(dayOf(replaced))}`
}

function unitsClause({ rule, units, more_units = 0 }: Explained, texts: ExplanationTexts): string | undefined {
  const all = units.length + more_units
  if (all < 2) return undefined
  if (rule === 'happened') return texts.lastOf(all)
  const reached = units.filter(({ status }) => status === 'actual').length
  return reached > 0 ? texts.reachedBy(reached, all) : undefined
}

function nameOf({ description, code }: ExplainedEvent): string {
  return description ?? code.toLowerCase().replaceAll('_', ' ')
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

// The day at the place, which is the one that its offset gives.
export function englishDay(date: string): string {
  const [year, month = 1, day] = date.slice(0, 10).split('-').map(Number)
  return `${day} ${months[month - 1]} ${year}`
}

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
  said: ({ what, container, source, day }) =>
    `"${what}"${container ? ` of ${container}` : ''}${source ? `, from ${source}` : ''}${day ? `, said on ${day}` : ''}`,
  replaces: (day) => `it replaces ${day}`,
  pinned: (reason) => `set by the forwarder (${reason})`,
  firstPlan: 'the first plan, and nothing newer is known',
  given: 'given with the shipment',
  ofOthers: 'what is expected of the other containers',
  happenedToOthers: 'when the other containers did',
  lastOf: (count) => `The last of ${count} containers`,
  reachedBy: (count, all) => `${count} of ${all} containers have done so already`,
  problem: (what) => `Problem: ${what}`,
  implied: (what) => `It must have happened, since there is "${what}"`,
  moved: (day, before) => `Moved from ${day}, since it cannot be before the ${names[before]}`,
  conflict: (source, day) => `${source ?? 'Another source'} says ${day}`,
  stale: 'That has passed, and nobody has said that it happened',
  unknown: 'No date is known',
  changedBy: {
    happened: 'A correction by its source.',
    problem: 'The end of the problem, a newer date, or that it happens.',
    expected: 'A newer date, or that it happens.',
  },
}
