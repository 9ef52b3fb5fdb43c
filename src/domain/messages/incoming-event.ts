import type { CodeFormat } from '../../contract/operator/codes.js'
import type { EventCode } from '../../contract/public/event-codes.js'
import type { TrackingEventRecord } from '../../contract/public/tracking.js'
import type { EventTime } from './event-time.js'

/** One event of a message, whatever its format. References are normalised. */
export type IncomingEvent = {
  /** What is only kept with its message, such as the status of a document, moves nothing. */
  isKept: boolean
  /** The source's own identifier of the event. */
  sourceId: string | undefined
  /** The identifier without that of the party it is from, as it may be retracted. */
  unroutedId?: string | undefined
  /** When its source issued it. */
  issuedAt: string | undefined
  isRetracted: boolean
  /** The code of the source, such as `LOAD`. */
  sourceCode: string
  code: EventCode
  status: 'planned' | 'estimated' | 'actual' | 'problem'
  date: string
  /** How far the date can be relied on. */
  zone?: EventTime['zone']
  precision?: EventTime['precision']
  description: string
  /** The containers that it is about; none: the vessel, or the whole shipment. */
  containers: string[]
  place: { unlocode?: string | undefined; name?: string | undefined }
  /** About a vessel or another means of transport; its containers are those on board that the sender names. */
  isOfTransport: boolean
  /** About one container, which it does not name. */
  isOfUnnamedUnit?: true | undefined
  /** By rail, truck or barge, or at a place that is no port: no part of the main leg by sea. */
  isInland: boolean
  /** The name of a step of the plan, where the sender knows it. */
  step?: string | undefined
  documents: DocumentReference[]
  /** What distinguishes it from others where the source gives no identifier. It does not depend on how a code is mapped. */
  identity?: unknown[] | undefined
  /** What distinguishes it from others of its shipment whatever its date: with another date it is a newer version. */
  versioned?: unknown[] | undefined
  /** What else is stored with it, as the source gave it. */
  details?: EventDetails
}

export type EventDetails = Pick<
  TrackingEventRecord,
  'party' | 'vessel' | 'mode' | 'laden' | 'facility' | 'delay_reason' | 'remark'
>

export type DocumentReference = { kind: 'booking' | 'bill' | 'order' | 'any'; reference: string }

/** An event, or why it cannot be used. */
export type ReadEvent = ({ event: IncomingEvent } | { fault: string; sourceId?: string | undefined }) & {
  /** The row of a table. */
  row?: number
}

/** The events of a message, or why it cannot be read. */
export type ReadMessage =
  | { events: ReadEvent[]; warnings?: string[]; foreign?: ForeignCode[] }
  | {
      fault: string
      /** It can be read once an operator has mapped its columns. */
      isMappable?: boolean
    }

/** The events of a message as they came, or why there are none. */
export type FoundItems = { items: unknown[] } | { fault: string }

/** A code that no table of ours has, or that an operator has mapped. */
export type ForeignCode = { format: CodeFormat; code: string; text: string }

/** The time zone of a place, for times without an offset. */
export type FindZone = (unlocode: string) => string | undefined

/** All references of an event. */
export function referencesOf({ documents, containers }: IncomingEvent): string[] {
  return [...new Set([...documents.map(({ reference }) => reference), ...containers])]
}
