import { officeOperations, rolesFor } from '../office/operations.js'
import { type DescribedOperation, filesOf, type OpenApiDocument, openApiOf } from '../openapi.js'
import { PortalProblem } from '../problem.js'
import { SupplierForm } from '../public/proposal.js'
import { type LinkKind, linkKinds, type PortalOperation, portalRefusalsOf, portalTags } from './operation.js'
import { portalOperations } from './operations.js'
import { OrderSheetForm } from './order-sheet.js'
import type { Site } from './sites.js'

/** The OpenAPI description of the portal's own interface. */

const description = `What the portal needs besides the public interface: sessions, the users and keys of an account, search, the overview, order sheets, and a live stream of changes.

**Authentication.** Signing in sets an \`HttpOnly\` cookie (\`__Host-waybill_session\`; on the same machine, without TLS, \`waybill_session\`). The role determines what a user may do: \`admin\`, \`member\` or \`viewer\`. The session is also valid on the public interface (\`/v1\`), where viewers may read.

**Writes** need the \`csrf_token\` of the session as \`X-CSRF-Token\`, here and on \`/v1\`, and must not come from a page of another origin.

**OpenID Connect**, if configured, starts at \`GET /portal/v1/provider?to=<path>\`: the browser is redirected to the provider, back to \`/portal/v1/provider/callback\`, and then to the path; after a refusal to \`/sign-in?refused=provider\`, and to \`/sign-in?refused=provider_away\` if the provider is unavailable.

**Errors** are problem bodies (RFC 9457) with a stable \`code\`; invalid input lists every error in \`errors\`.`

const officeDescription = `Operators of the forwarder sign in at the office with the operations of the portal: password, one-time codes with recovery codes, passkeys, and the company's provider. They also save views of its lists. There is nothing else here: systems use the operator interface (\`/ops/v1\`) with keys.

**Authentication.** Signing in sets an \`HttpOnly\` cookie (\`__Host-waybill_office\`; on the same machine, without TLS, \`waybill_office\`). The session works nowhere else, and sessions of the portal do not work here. Roles are those of operators: \`admin\`, \`operations\`, \`finance\` or \`viewer\`.

**Writes** need the \`csrf_token\` of the session as \`X-CSRF-Token\`, and must not come from a page of another origin.

**OpenID Connect**, if configured, starts at \`GET /office/v1/provider?to=<path>\`, as in the portal.

**Errors** are problem bodies (RFC 9457) with a stable \`code\`; invalid input lists every error in \`errors\`.`

const interfaces = {
  portal: { description, operations: portalOperations, cookie: '__Host-waybill_session' },
  office: { description: officeDescription, operations: officeOperations, cookie: '__Host-waybill_office' },
} as const satisfies Record<Site, object>

export function portalOpenApi(site: Site): OpenApiDocument {
  const { cookie, operations, ...own } = interfaces[site]
  const described = Object.entries<PortalOperation>(operations)
  const tags = portalTags.filter(([tag]) => described.some(([, operation]) => operation.tag === tag))
  return openApiOf({
    title: `Waybill: ${site} interface`,
    version: '1.0.0',
    ...own,
    security: {
      name: 'session',
      scheme: { type: 'apiKey', in: 'cookie', name: cookie, description: 'Set by signing in.' },
    },
    tags,
    operations: Object.fromEntries(described.map(([name, operation]) => [name, describe(site, operation)])),
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
  description: 'The `id` of the last event received: the stream resumes after it. Browsers send it automatically.',
  schema: { type: 'string' },
}

const linkToken = (kind: LinkKind) => ({
  name: linkKinds[kind].header,
  in: 'header',
  required: true,
  description: 'The token of the link: what follows `#` in its address.',
  schema: { type: 'string' },
})

const setCookie = { 'Set-Cookie': { description: 'The session, or its end.', schema: { type: 'string' } } }

function describe(site: Site, operation: PortalOperation): DescribedOperation {
  const { access, accepts, returns, method, tag, byLink } = operation
  const isOpen = access === 'anyone'
  return {
    operation: accepts ? { ...operation, body: accepts === 'file' ? SupplierForm : OrderSheetForm } : operation,
    tag,
    needs: byLink
      ? 'Open to anyone who has the link.'
      : isOpen
        ? 'Open to anyone, without authentication.'
        : `Roles: ${rolesFor(site, access).join(', ')}.`,
    refusals: portalRefusalsOf(operation),
    isOpen,
    headers: [
      ...(byLink && linkKinds[byLink].header !== 'path' ? [linkToken(byLink)] : []),
      ...(method !== 'GET' && !isOpen ? [csrfToken] : []),
      ...(returns === 'events' ? [lastEventId] : []),
    ],
    ...((operation.startsSession || operation.endsSession) && { responseHeaders: setCookie }),
    withoutIdempotencyKey: true,
    withoutValidator: returns !== undefined,
    bodyMediaType: accepts && 'multipart/form-data',
    responseFiles: returns && filesOf(operation.success.body),
  }
}
