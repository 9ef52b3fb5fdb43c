import { isRead } from '../contract/operation.js'
import { type OperationName, operationNames, operations, type PublicOperation } from '../contract/operations.js'
import { Refusal } from '../contract/refusals.js'
import { customerHandlers } from '../customer/customer.js'
import type { Input } from '../customer/handlers.js'
import { inputReader, routeOf } from './input.js'
import { malformedQuery, parseQueryString } from './query-string.js'
import { answerMaker, type Read, type ReadAnswer, type Reading, type ReadSource } from './read-answer.js'

/** A read that can be answered without the framework. */
export type DirectRoute = {
  name: OperationName
  kind: PublicOperation['kind']
  path: string
  /** Absent where the answer may be too long to be sent at once: such a one comes from memory, or not at all. */
  read?: (reading: Reading) => Promise<ReadAnswer>
}

/** Finds the route of an address that is written plainly. Links in documents end: their lists are made anew. */
export function directRoutes(source: ReadSource): (url: string) => DirectRoute | undefined {
  const found = operationNames.flatMap((name) => {
    const operation: PublicOperation = operations[name]
    if (!isRead(operation) || operation.kind === 'document') return []
    return operation.params ? oneRoute(source, name, operation) : listRoute(source, name, operation)
  })
  return (url) => found.find(({ matches }) => matches(url))?.route
}

type Matching = { matches(url: string): boolean; route: DirectRoute }

const plainIdentifier = /^[\w.~-]+$/

function oneRoute(source: ReadSource, name: OperationName, operation: PublicOperation): Matching {
  const [start = '', parameter = ''] = operation.path.split(/[{}]/)
  const make = answerMaker(source, operation, customerHandlers[name] as Read)
  const inputOf = inputReader(operation)
  return {
    matches: (url) => url.startsWith(start) && plainIdentifier.test(url.slice(start.length)),
    route: {
      ...whatIs(name, operation),
      async read(reading) {
        const params = { [parameter]: reading.url.slice(start.length) }
        return make(inputOf({ params, query: {} }, undefined) as Input<OperationName>, reading)
      },
    },
  }
}

function listRoute(source: ReadSource, name: OperationName, operation: PublicOperation): Matching {
  const { path } = operation
  const make = answerMaker(source, operation, customerHandlers[name] as Read)
  const inputOf = inputReader(operation)
  async function read(reading: Reading): Promise<ReadAnswer> {
    const query = parseQueryString(reading.url.slice(path.length + 1))
    if (query === malformedQuery) throw new Refusal('malformed_request')
    return make(inputOf({ params: {}, query }, undefined) as Input<OperationName>, reading)
  }
  return {
    matches: (url) => url.startsWith(path) && (url.length === path.length || url.charAt(path.length) === '?'),
    route: { ...whatIs(name, operation), ...(operation.kind === 'shipment' && { read }) },
  }
}

function whatIs(name: OperationName, operation: PublicOperation) {
  return { name, kind: operation.kind, path: routeOf(operation) }
}
