import type { Operation } from '../../contract/operation.js'
import { Refusal } from '../../contract/refusals.js'
import { closed } from '../../contract/schema.js'
import { queryValidatorOf, validatorOf } from '../../contract/validation.js'

const noQuery = queryValidatorOf(closed({}))
const noBody = validatorOf(closed({}))

type Request = { params: unknown; query: unknown }

/** Validates params, query and body of a request against its operation. */
export function inputReader(operation: Operation): (request: Request, body: unknown) => unknown {
  const params = operation.params && validatorOf(operation.params)
  const query = operation.query ? queryValidatorOf(operation.query) : noQuery
  const body = operation.body && validatorOf(operation.body)
  return (request, given) => {
    // /v1/shipments/ matches the route with an empty parameter.
    if (Object.values(request.params as Record<string, string>).includes('')) throw new Refusal('path_not_found')
    // Otherwise an unexpected body would be ignored silently.
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

/** The path of a template, with percent-encoded values. */
export function fillTemplate(template: string, values: Record<string, unknown>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
}
