import type { PlannedStep } from '../../contract/operator/tracking.js'
import type { OwnLocationRecord } from '../../contract/public/location.js'
import type { TrackingRecord } from '../../contract/public/tracking.js'
import { type Fault, invalid } from '../../contract/refusals.js'
import type { AccountId } from '../../database/account-id.js'
import type { Reader } from '../../database/database.js'
import { positionNames } from '../../domain/records/position-names.js'
import { type NamedStep, stepsWithNamedEvents } from '../../domain/tracking/inline-events.js'
import { findRecords } from '../../ledger/records.js'

/** The steps of a new plan with their current locations, and with the inline events that they had before. */
export async function plannedSteps(
  db: Reader,
  account: AccountId,
  given: PlannedStep[],
  before: TrackingRecord,
): Promise<NamedStep[]> {
  const stepsBefore = stepsWithNamedEvents(before)
  const locations = await findLocations(db, account, given)
  const faults = given.flatMap((step, index) => faultsOf(step, index, { given, locations, stepsBefore }))
  if (faults.length > 0) throw invalid(faults)
  const names = namesOf(given, stepsBefore)
  const eventsOf = new Map(stepsBefore.map(({ id, events }) => [id, events]))
  return given.map(({ type, location_id, port }, index) => {
    const id = names[index] as string
    const { retired: _retired, ...location } = locations.get(location_id) ?? {}
    const events = eventsOf.get(id)
    return {
      id,
      type,
      ...('id' in location && { location }),
      ...(port && { port }),
      ...(events && { events }),
    }
  })
}

/**
 * The name of each step: the given one, or that of the previous step of the same type and place. A new step gets a number
 * that no step had: named by its position it would inherit the events of another one.
 */
function namesOf(given: PlannedStep[], before: NamedStep[]): string[] {
  const taken = new Set(given.flatMap(({ id }) => id ?? []))
  const names = given.map((step) => {
    const id = step.id ?? before.find((each) => !taken.has(each.id) && isSamePlace(each, step))?.id
    if (id !== undefined) taken.add(id)
    return id
  })
  for (const { id } of before) taken.add(id)
  const nameOf = positionNames(taken)
  return names.map((name, index) => name ?? nameOf(index))
}

function isSamePlace(before: NamedStep, { type, location_id, port }: PlannedStep): boolean {
  return before.type === type && before.location?.id === location_id && before.port?.unlocode === port?.unlocode
}

async function findLocations(
  db: Reader,
  account: AccountId,
  steps: PlannedStep[],
): Promise<Map<number | undefined, OwnLocationRecord>> {
  const ids = steps.flatMap(({ location_id }) => (location_id === undefined ? [] : [String(location_id)]))
  const records = ids.length > 0 ? await findRecords(db, account, 'location', ids) : new Map<string, string>()
  return new Map([...records].map(([id, record]) => [Number(id), JSON.parse(record) as OwnLocationRecord]))
}

type PlanContext = {
  given: PlannedStep[]
  locations: Map<number | undefined, OwnLocationRecord>
  stepsBefore: NamedStep[]
}

// Decision: pick-up and delivery carry `location`, the others `port`.
function faultsOf(step: PlannedStep, index: number, { given, locations, stepsBefore }: PlanContext): Fault[] {
  const { id, type, location_id, port } = step
  const faults: Fault[] = []
  const add = (field: string, detail: string) => faults.push({ pointer: `/steps/${index}/${field}`, detail })
  const isDoor = type === 'pickup' || type === 'delivery'
  if (isDoor && port) add('port', `a step of type ${type} has a location, not a port`)
  if (!isDoor && location_id !== undefined) add('location_id', `a step of type ${type} has a port, not a location`)
  if (location_id !== undefined) {
    const location = locations.get(location_id)
    const wasNamed = stepsBefore.some((each) => each.location?.id === location_id)
    if (!location) add('location_id', 'the account has no such location')
    else if (location.retired && !wasNamed) add('location_id', 'the location is retired')
  }
  if (id !== undefined && given.findIndex((each) => each.id === id) < index) {
    add('id', 'must differ from those of the other steps')
  }
  return faults
}
