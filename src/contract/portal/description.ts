import { type DescribedOperation, filesOf, type OpenApiDocument, openApiOf } from '../openapi.js'
import { PortalProblem } from '../problem.js'
import { type PortalOperation, portalRefusalsOf, portalTags } from './operation.js'
import { type PortalOperationName, portalOperationNames, portalOperations } from './operations.js'
import { OrderSheetForm } from './order-sheet.js'
import { portalRights } from './rights.js'

/** The OpenAPI description of the portal's own interface. */

const description = `What the portal needs beside the public interface: who is signed in, the people of an account and its keys, search, the overview, spreadsheets of orders, and changes as they happen.

**Who is calling.** Signing in sets a cookie that no script can read (\`__Host-waybill_session\`; on the machine of the service itself, without TLS, \`waybill_session\`). What somebody may do is told by their role: \`admin\`, \`member\` or \`viewer\`. The same session is good for the public interface (\`/v1\`), where a viewer may read.

**What changes something** needs the \`csrf_token\` of the session as \`X-CSRF-Token\`, here and on \`/v1\`, and must not come from a page of another origin.

**The company's sign-in**, where there is one, begins at \`GET /portal/v1/provider?to=<path>\`: a browser is sent to the provider, comes back to \`/portal/v1/provider/callback\` and goes on to the path, signed in; or to \`/sign-in?refused=provider\`, and to \`/sign-in?refused=provider_away\` where the provider cannot be asked.

**Errors** are problem bodies (RFC 9457) with a stable \`code\`; invalid input lists every fault in \`errors\`.`

export function portalOpenApi(): OpenApiDocument {
  return openApiOf({
    title: 'Waybill: portal interface',
    version: '1.0.0',
    description,
    security: {
      name: 'session',
      scheme: { type: 'apiKey', in: 'cookie', name: '__Host-waybill_session', description: 'Set by signing in.' },
    },
    tags: portalTags,
    operations: Object.fromEntries(portalOperationNames.map((name) => [name, describe(name)])),
    problem: PortalProblem,
  })
}

const csrfToken = {
  name: 'X-CSRF-Token',
  in: 'header',
  required: true,
  description: '`csrf_token` of the session.',
  schema: { type: 'string' },
}

const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description:
    'The `id` of the last event that was seen: the stream goes on behind it. Browsers send it by themselves.',
  schema: { type: 'string' },
}

const setCookie = { 'Set-Cookie': { description: 'The session, or its end.', schema: { type: 'string' } } }

function describe(name: PortalOperationName): DescribedOperation {
  const operation: PortalOperation = portalOperations[name]
  const { access, accepts, answers, method, tag } = operation
  const isOpen = access === 'anyone'
  return {
    operation: accepts ? { ...operation, body: OrderSheetForm } : operation,
    tag,
    needs: isOpen ? 'For anyone.' : `Roles: ${portalRights[access].join(', ')}.`,
    refusals: portalRefusalsOf(operation),
    isOpen,
    headers: [...(method !== 'GET' && !isOpen ? [csrfToken] : []), ...(answers === 'events' ? [lastEventId] : [])],
    ...((operation.startsSession || operation.endsSession) && { answerHeaders: setCookie }),
    withoutIdempotencyKey: true,
    withoutValidator: answers !== undefined,
    bodyMediaType: accepts && 'multipart/form-data',
    answerFiles: answers && filesOf(operation.success.body),
  }
}
