import type { ExplainedEvent, MilestoneExplanation } from '../../contract/public/explanation.js'
import type { ExplanationTexts } from './explanation-texts.js'

/** A day within a sentence. */
type Day = (date: string) => string

type Explained = Omit<MilestoneExplanation, 'sentence' | 'changed_by'>

export function explanationSentence(explanation: Explained, texts: ExplanationTexts, dayOf: Day): string {
  const { date, rule, event, problem, implied_by, moved_from, conflicts_with, stale, milestone } = explanation
  if (!date?.date) return `${problem ? `${texts.problem(nameOf(problem))}. ` : ''}${texts.unknown}.`
  const day = dayOf(date.date)
  const main = rule === 'happened' ? texts.happened(milestone, day) : texts.expected[expectedStatus(date.status)](day)
  const why = reasonOf(explanation, event, texts, dayOf)
  const sentences = [why ? `${main}${texts.colon}${why}` : main]
  if (problem) sentences.unshift(texts.problem(nameOf(problem)))
  // What is loaded has not departed.
  const isOnBoard = milestone === 'departure_date' && implied_by?.code === 'LOADED'
  if (implied_by) sentences.push((isOnBoard ? texts.onBoard : texts.implied)(nameOf(implied_by)))
  if (moved_from)
    sentences.push(texts.moved(dayOf(moved_from), milestone === 'arrival_date' ? 'departure_date' : 'arrival_date'))
  if (event?.zone === 'assumed' && date.date === event.date) sentences.push(texts.assumedZone)
  if (stale) sentences.push(texts.stale)
  if (conflicts_with?.date) sentences.push(texts.conflict(conflicts_with.source, dayOf(conflicts_with.date)))
  const units = unitsClause(explanation, texts)
  if (units) sentences.push(units)
  // An abbreviated month ends a sentence with its own full stop.
  return sentences.map((sentence) => (sentence.endsWith('.') ? sentence : `${sentence}.`)).join(' ')
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
  const statement = texts.reported({ what: nameOf(event), container, source, day })
  // What was reported last of the same, with another date; evidence of another kind is not replaced.
  const isReplaced = ({ reason, event: other }: Explained['other_events'][number]) =>
    reason === 'replaced' && other.code === event.code && other.date !== event.date
  if (rule === 'implied') return texts.nearest(statement)
  const replaced = rule === 'expected' ? other_events.find(isReplaced)?.event.date : undefined
  return replaced === undefined ? statement : `${statement}${texts.semicolon}${texts.replaces(dayOf(replaced))}`
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
