import type { Operation } from '../contract/operation.js'
import { Refusal } from '../contract/refusals.js'
import { closed } from '../contract/schema.js'
import { queryValidatorOf, validatorOf } from '../contract/validation.js'

const noQuery = queryValidatorOf(closed({}))
const noBody = validatorOf(closed({}))

type Addressed = { params: unknown; query: unknown }

/** Checks what a request brings against what its operation takes. */
export function inputReader(operation: Operation): (request: Addressed, body: unknown) => unknown {
  const params = operation.params && validatorOf(operation.params)
  const query = operation.query ? queryValidatorOf(operation.query) : noQuery
  const body = operation.body && validatorOf(operation.body)
  return (request, given) => {
    // /v1/shipments/ names no shipment, and is no other path either.
    if (Object.values(request.params as Record<string, string>).includes('')) throw new Refusal('path_not_found')
    // What is sent where nothing is taken would be dropped silently.
    if (!body && given !== undefined) noBody.check(given)
    return {
      params: params?.check(request.params),
      query: query.check(request.query as Record<string, unknown>),
      body: body?.check(given),
    }
  }
}

export function routeOf({ path }: Pick<Operation, 'path'>): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}
