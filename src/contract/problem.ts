import { type Static, Type } from 'typebox'
import {
  operatorRefusalCodes,
  publicRefusalCodes,
  type Refusal,
  type RefusalCode,
  refusalCodes,
  refusals,
} from './refusals.js'
import { closed, explained, named } from './schema.js'

export const problemMediaType = 'application/problem+json'

/** RFC 9457. */
function problemWith<const Codes extends readonly RefusalCode[]>(codes: Codes) {
  const titles = Object.fromEntries(codes.map((code) => [code, refusals[code].title])) as Record<Codes[number], string>
  return named(
    'Problem',
    {
      type: Type.String({ format: 'uri-reference', description: 'Path of a page that explains the code.' }),
      title: Type.String({ description: 'What the code means, in a few words: the same for each occurrence.' }),
      status: Type.Integer({ description: 'The HTTP status of the response.' }),
      detail: Type.String({ description: 'What is wrong with this request, for people. Its wording may change.' }),
      code: explained(codes, 'What is wrong. Stable: meant for programs.', titles),
      request_id: Type.String({ description: 'The same as the header `X-Request-Id`.' }),
    },
    {
      errors: Type.Array(
        closed({
          pointer: Type.String({
            description: 'Where: a JSON Pointer into the body, or a slash and the name of a parameter or header.',
          }),
          detail: Type.String({ description: 'What is wrong there, for people.' }),
        }),
        {
          description: 'Every error of an invalid request, at most 100. Absent otherwise.',
        },
      ),
    },
  )
}

export const Problem = problemWith(publicRefusalCodes)
/** Problems of the operator interface, which people call with a session of the office. */
export const OperatorProblem = problemWith([
  ...publicRefusalCodes,
  ...operatorRefusalCodes,
  'not_signed_in',
  'foreign_origin',
  'enrolment_required',
  'reauthentication_required',
  'person_not_found',
  'person_exists',
  'keys_undecided',
  'last_admin',
])
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
