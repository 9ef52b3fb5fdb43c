import { type Static, Type } from 'typebox'
import {
  operatorRefusalCodes,
  publicRefusalCodes,
  type Refusal,
  type RefusalCode,
  refusalCodes,
  refusals,
} from './refusals.js'
import { closed, named, oneOf } from './schema.js'

export const problemMediaType = 'application/problem+json'

/** RFC 9457. */
function problemWith<const Codes extends readonly RefusalCode[]>(codes: Codes) {
  return named(
    'Problem',
    {
      type: Type.String({ format: 'uri-reference', description: 'Path of a page that explains the code.' }),
      title: Type.String(),
      status: Type.Integer(),
      detail: Type.String(),
      code: oneOf(codes, { description: 'Stable: meant for programs.' }),
      request_id: Type.String(),
    },
    {
      errors: Type.Array(closed({ pointer: Type.String(), detail: Type.String() }), {
        description: 'All errors of an invalid request.',
      }),
    },
  )
}

export const Problem = problemWith(publicRefusalCodes)
/** Problems of the operator interface. */
export const OperatorProblem = problemWith([...publicRefusalCodes, ...operatorRefusalCodes])
/** Problems of the portal: it also renders PDFs and imports tables, as operators do. */
export const PortalProblem = problemWith(refusalCodes)
export type Problem = Static<typeof PortalProblem>

export function problemPath(code: string): string {
  return `/errors/${code}`
}

export function problemOf(refusal: Refusal, requestId: string): Problem {
  return {
    type: problemPath(refusal.code),
    title: refusals[refusal.code].title,
    status: refusal.status,
    detail: refusal.message,
    code: refusal.code,
    request_id: requestId,
    ...(refusal.faults && { errors: refusal.faults }),
  }
}
