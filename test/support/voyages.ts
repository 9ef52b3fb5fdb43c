import fc from 'fast-check'

/** Random but possible journeys of containers by sea, as a carrier reports them, and what is true of them at every moment. */

/** One report: its source, when it was issued, and what it states. */
export type Statement = {
  /** Our name for it; its identifier at the carrier, where it has one. */
  id: string
  hasId: boolean
  issued: number
  code: 'GTOT' | 'GTIN' | 'LOAD' | 'DEPA' | 'ARRI' | 'BERT' | 'DISC'
  isEmpty: boolean
  at: 'CNNGB' | 'SGSIN' | 'DEHAM'
  container: number
  status: 'PLN' | 'EST' | 'ACT'
  /** Minutes since the first of March 2026. */
  on: number
  isRetracted: boolean
}

export type Voyage = { containers: 1 | 2; statements: Statement[] }

const hour = 60
const day = 24 * hour

type Shape = {
  containers: 1 | 2
  isTransshipped: boolean
  reportsArrival: boolean
  reportsDeparture: boolean
  isReused: boolean
  repeats: 'none' | 'other date' | 'correction' | 'retraction'
  estimates: number[]
  hasIds: boolean
  delay: number
  minutes: number[]
}

const shape: fc.Arbitrary<Shape> = fc.record({
  containers: fc.constantFrom(1 as const, 2 as const),
  isTransshipped: fc.boolean(),
  reportsArrival: fc.boolean(),
  reportsDeparture: fc.boolean(),
  isReused: fc.boolean(),
  repeats: fc.constantFrom('none' as const, 'other date' as const, 'correction' as const, 'retraction' as const),
  estimates: fc.array(fc.integer({ min: -3, max: 6 }), { minLength: 1, maxLength: 4 }),
  hasIds: fc.boolean(),
  delay: fc.integer({ min: 0, max: 30 }),
  minutes: fc.array(fc.integer({ min: 0, max: 599 }), { minLength: 40, maxLength: 40 }),
})

export const voyage: fc.Arbitrary<Voyage> = shape.map((given) => {
  const statements: Statement[] = []
  let next = 0
  const minute = () => given.minutes[next++ % given.minutes.length] as number
  function say(part: Partial<Statement> & Pick<Statement, 'code' | 'at' | 'container' | 'on'>): Statement {
    const id = `${statements.length} ${part.code} ${part.at} ${part.container}`
    const usual = { id, hasId: given.hasIds, isEmpty: false, status: 'ACT' as const, isRetracted: false }
    const issued = part.on + given.delay + (minute() % 90)
    const statement = { ...usual, issued, ...part }
    statements.push(statement)
    return statement
  }
  for (let container = 0; container < given.containers; container += 1) {
    // The second container is some days behind.
    const start = day * (10 + container * 2)
    if (given.isReused) {
      say({ code: 'DISC', at: 'DEHAM', container, on: start - 9 * day + minute() })
      say({ code: 'GTIN', at: 'DEHAM', container, on: start - 5 * day + minute(), isEmpty: true })
    }
    const eta = start + 24 * day
    say({ code: 'DEPA', at: 'CNNGB', container, on: start + minute(), status: 'PLN', issued: start - 14 * day })
    for (const [index, slip] of given.estimates.entries())
      say({
        code: 'ARRI',
        at: 'DEHAM',
        container,
        on: eta + slip * day + minute(),
        status: 'EST',
        issued: start - 10 * day + index * 5 * day + minute(),
      })
    say({ code: 'GTOT', at: 'CNNGB', container, on: start - 3 * day + minute(), isEmpty: true })
    say({ code: 'GTIN', at: 'CNNGB', container, on: start - day + minute() })
    say({ code: 'LOAD', at: 'CNNGB', container, on: start - 6 * hour })
    if (given.reportsDeparture) say({ code: 'DEPA', at: 'CNNGB', container, on: start + minute() })
    if (given.isTransshipped) {
      say({ code: 'ARRI', at: 'SGSIN', container, on: start + 7 * day + minute() })
      say({ code: 'DISC', at: 'SGSIN', container, on: start + 8 * day + minute() })
      say({ code: 'LOAD', at: 'SGSIN', container, on: start + 10 * day + minute() })
      say({ code: 'DEPA', at: 'SGSIN', container, on: start + 11 * day + minute() })
    }
    if (given.reportsArrival) {
      const arrival = say({ code: 'ARRI', at: 'DEHAM', container, on: eta + minute() })
      // Repeated under another name the first stands; under its own name the newer version counts.
      if (given.repeats === 'other date')
        say({
          ...arrival,
          id: `${arrival.id} again`,
          on: arrival.on + 14 * hour + 1 + minute(),
          issued: arrival.issued + 700,
        })
      if (given.repeats === 'correction')
        say({ ...arrival, hasId: true, on: arrival.on - 61, issued: arrival.issued + 700 })
      if (given.repeats === 'correction') arrival.hasId = true
      if (given.repeats === 'retraction') {
        arrival.hasId = true
        say({ ...arrival, isRetracted: true, issued: arrival.issued + 700 })
      }
    }
    say({ code: 'DISC', at: 'DEHAM', container, on: eta + 15 * hour + minute() })
    say({ code: 'GTOT', at: 'DEHAM', container, on: eta + 3 * day + minute() })
  }
  const order = statements.toSorted((one, other) => one.issued - other.issued)
  return { containers: given.containers, statements: order }
})

export function timeOf(minutes: number): string {
  return `${new Date(Date.UTC(2026, 2, 1) + minutes * 60_000).toISOString().slice(0, 19)}Z`
}

const isOfTrip = ({ at, isEmpty }: Statement) => !(at === 'DEHAM' && isEmpty)

/** What a reader of the statements knows: the last version of each, without those that were retracted. */
function known(statements: Statement[]): Statement[] {
  const versions = new Map<string, Statement>()
  for (const statement of statements.toSorted((one, other) => one.issued - other.issued))
    versions.set(statement.id, statement)
  return [...versions.values()].filter(({ isRetracted }) => !isRetracted)
}

/** When the last container did, and whether all have: by the first statement of each, or, for arrivals, its discharge. */
export function truth(
  { containers }: Pick<Voyage, 'containers'>,
  statements: Statement[],
  milestone: 'departure' | 'arrival',
): number | undefined {
  const facts = known(statements).filter((each) => each.status === 'ACT' && isOfTrip(each))
  const firstOf = (container: number, code: Statement['code'], at: Statement['at']) =>
    facts.find((each) => each.container === container && each.code === code && each.at === at && each.on > 8 * day)?.on
  const dates = Array.from({ length: containers }, (_, container) => {
    if (milestone === 'departure') return firstOf(container, 'DEPA', 'CNNGB')
    return firstOf(container, 'ARRI', 'DEHAM') ?? firstOf(container, 'DISC', 'DEHAM')
  })
  if (dates.some((date) => date === undefined)) return undefined
  return Math.max(...(dates as number[]))
}

/** The statement in the form of DCSA 2.2, or of 3.0 if it is retracted. */
export function asDcsa(statement: Statement, { booking, containers }: { booking: string; containers: string[] }) {
  const { id, hasId, issued, code, at, status, isEmpty, on, isRetracted } = statement
  const container = containers[statement.container] as string
  const isOfVessel = code === 'DEPA' || code === 'ARRI'
  return {
    ...(hasId && { eventID: id }),
    ...(isRetracted && { isRetracted }),
    eventCreatedDateTime: timeOf(issued),
    eventDateTime: timeOf(on),
    eventClassifierCode: status,
    ...(isOfVessel
      ? {
          eventType: 'TRANSPORT',
          transportEventTypeCode: code,
          references: [{ referenceType: 'EQ', referenceValue: container }],
        }
      : {
          eventType: 'EQUIPMENT',
          equipmentEventTypeCode: code,
          equipmentReference: container,
          emptyIndicatorCode: isEmpty ? 'EMPTY' : 'LADEN',
        }),
    transportCall: {
      transportCallID: `${at} ${id}`,
      modeOfTransport: 'VESSEL',
      UNLocationCode: at,
      exportVoyageNumber: '014W',
    },
    documentReferences: [{ documentReferenceType: 'BKG', documentReferenceValue: booking }],
  }
}
