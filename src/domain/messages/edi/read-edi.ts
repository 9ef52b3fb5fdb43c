import { mostEvents } from '../dcsa.js'
import type { ReadMessage } from '../incoming-event.js'
import { type Collected, type EdiContext, isFull } from './edi-context.js'
import { edifactTime, x12Time } from './edi-time.js'
import { readEdifact } from './edifact.js'
import { readIftsta } from './iftsta.js'
import { describeFault, quoted, valueAt } from './segments.js'
import { readX12 } from './x12.js'
import { read214 } from './x12-214.js'
import { read315 } from './x12-315.js'

/**
 * The events of an interchange: of IFTSTA messages, or of transaction sets 315 and 214. They are read a step at a time: all of a
 * long one would take a second.
 */

export function* readEdifactEvents(bytes: Uint8Array, context: EdiContext): Generator<undefined, ReadMessage> {
  const { header, messages, warnings, fault } = yield* readEdifact(bytes)
  if (fault) return { fault: describeFault(fault) }
  yield
  const collected: Collected = { events: [], warnings: [...warnings], foreign: [], faulty: [] }
  for (const [index, message] of messages.entries()) {
    const name = `message ${index + 1}`
    const type = message.type[0] ?? ''
    if (message.fault) collected.events.push({ fault: `${name}: ${describeFault(message.fault)}` })
    else if (type === 'IFTSTA') yield* readIftsta(message, context, collected)
    else if (type === 'CONTRL') collected.warnings.push(`${name} is an acknowledgement (byte ${message.position})`)
    else collected.events.push({ fault: `${name} is ${quoted(type)}, not IFTSTA (byte ${message.position})` })
    if (isFull(collected)) break
    yield
  }
  const isTest = header !== undefined && valueAt(header, 10) === '1'
  const sent = header && edifactTime(valueAt(header, 3) + valueAt(header, 3, 1), '', undefined)?.date
  return finish(collected, isTest, sent)
}

export function* readX12Events(bytes: Uint8Array, context: EdiContext): Generator<undefined, ReadMessage> {
  const { header, groups, warnings, fault } = yield* readX12(bytes)
  if (fault) return { fault: describeFault(fault) }
  yield
  const collected: Collected = { events: [], warnings: [...warnings], foreign: [], faulty: [] }
  for (const { header: group, sets, fault: groupFault } of groups) {
    const issuedAt = x12Time(valueAt(group, 3), valueAt(group, 4), 'UT', undefined)?.date
    if (groupFault) {
      collected.events.push({ fault: `group ${quoted(valueAt(group, 5))}: ${describeFault(groupFault)}` })
      continue
    }
    for (const set of sets) {
      const name = `transaction set ${quoted(set.control)}`
      if (set.fault) collected.events.push({ fault: `${name}: ${describeFault(set.fault)}` })
      else if (set.type === '315') read315(set, issuedAt, context, collected)
      else if (set.type === '214') yield* read214(set, issuedAt, context, collected)
      else if (set.type === '997' || set.type === '999')
        collected.warnings.push(`${name} is an acknowledgement (byte ${set.position})`)
      else collected.events.push({ fault: `${name} is ${quoted(set.type)}, not 315 or 214 (byte ${set.position})` })
      if (isFull(collected)) break
      yield
    }
  }
  return finish(collected, header !== undefined && valueAt(header, 14) === 'T', undefined)
}

// More are of no use to anybody.
const mostWarnings = 100

function finish(collected: Collected, isTest: boolean, sent: string | undefined): ReadMessage {
  const { events, warnings, foreign } = collected
  if (isFull(collected)) return { fault: `has more than ${mostEvents} events` }
  if (isTest) warnings.unshift('it is marked as a test: nothing of it is applied')
  for (const read of events) {
    if (!('event' in read)) continue
    read.event.issuedAt ??= sent
    if (isTest) read.event.isKept = true
  }
  return { events, warnings: [...new Set(warnings)].slice(0, mostWarnings), foreign: isTest ? [] : foreign }
}
