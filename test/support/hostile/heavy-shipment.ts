import { operatorOperations } from '../../../src/contract/operator/operations.js'
import { portalOperations } from '../../../src/contract/portal/operations.js'
import { operations } from '../../../src/contract/public/operations.js'
import { type Access, type HostileRequest, type HostileTarget, statusOf, statusOfBody } from './target.js'

/** A shipment of thousands of containers, of which each has events: what is derived from them is long work. */

const id = 'S-heavy'
const containers = 2000
const texts = ['Loaded on board', 'Discharged', 'Gate out']

const numberOf = (at: number) => `MSKU${1_000_000 + at}`

/** As lines of an import. */
export function heavyShipment(account: string): string {
  const lineOf = (kind: string, data: object) => `${JSON.stringify({ kind, account, data })}\n`
  const cargo = { containers: Array.from({ length: containers }, (_, at) => ({ container_number: numberOf(at) })) }
  const steps = [
    { id: '1', type: 'origin_port', port: { unlocode: 'CN/SHA' } },
    { id: '2', type: 'destination_port', port: { unlocode: 'DE/HAM' } },
  ]
  const events = cargo.containers.flatMap(({ container_number }, at) =>
    texts.map((description, index) =>
      lineOf('tracking_event', {
        svc_shipment_id: id,
        event_id: `${at}-${index}`,
        sequence: at * texts.length + index + 1,
        step: index === 0 ? '1' : '2',
        description,
        date: `2026-0${index + 1}-01T10:00:00Z`,
        status: 'actual',
        container_number,
      }),
    ),
  )
  return [
    lineOf('shipment', { svc_shipment_id: id, status: 'in_progress', freight_mode: 'ocean', cargo }),
    lineOf('tracking', { svc_shipment_id: id, tracking_steps: steps }),
    ...events,
  ].join('')
}

const { addEvent, addPosition, getTracking } = operatorOperations
const soon = () => encodeURIComponent(new Date(Date.now() + 60_000).toISOString())

const gets: [name: string, access: Access, path: string | (() => string)][] = [
  ['getTracking', 'customer', operations.getTracking.path],
  ['explainTracking', 'customer', operations.explainTracking.path],
  ['explainTracking of the past', 'customer', () => `${operations.explainTracking.path}?as_of=${soon()}`],
  ['getFreeTime', 'customer', operations.getFreeTime.path],
  ['getJourney', 'person', portalOperations.getJourney.path],
  ['getTracking', 'operator', getTracking.path],
]

const writes: [name: string, path: string, body: () => object][] = [
  [
    'addEvent',
    addEvent.path,
    () => ({ step: '2', description: 'Delivered', date: new Date().toISOString(), status: 'actual' }),
  ],
  ['addPosition', addPosition.path, () => ({ latitude: 1, longitude: Math.random() })],
]

const of = `of a shipment of ${containers} containers with ${containers * texts.length} events`
const filled = (path: string, { heavy }: HostileTarget) =>
  path.replace('{account}', heavy.slug).replace('{svc_shipment_id}', id)

const events = () =>
  Array.from({ length: 500 }, (_, at) => ({
    description: 'Delivered',
    date: new Date().toISOString(),
    status: 'actual',
    container_number: numberOf(at),
    references: [id],
  }))

export const hostileShipment: HostileRequest[] = [
  {
    name: 'addEvent (operator): a text of 3.9 MB',
    status: 400,
    send: (target) =>
      statusOfBody(target, 'operator', {
        path: filled(addEvent.path, target),
        body: JSON.stringify({
          step: '2',
          description: ' x'.repeat(1_950_000),
          date: '2026-01-01T00:00:00Z',
          status: 'actual',
        }),
      }),
  },
  {
    name: `receiveMessage (operator): 500 events ${of}`,
    status: 200,
    send: (target) =>
      statusOfBody(target, 'operator', {
        path: `${operatorOperations.receiveMessage.path}?format=events&sender=hostile`,
        type: 'application/octet-stream',
        body: JSON.stringify(events()),
      }),
  },
  ...writes.map(([name, path, body]) => ({
    name: `${name} (operator): ${of}`,
    status: 201,
    send: (target: HostileTarget) =>
      statusOfBody(target, 'operator', { path: filled(path, target), body: JSON.stringify(body()) }),
  })),
  ...gets.map(([name, access, path]) => ({
    name: `${name} (${access}): ${of}`,
    status: 200,
    send: (target: HostileTarget) =>
      statusOf(target, access, { target: filled(typeof path === 'string' ? path : path(), target) }, target.heavy),
  })),
]
