import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { BlockList } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '../src/api/app.js'
import { connectStorage } from '../src/cli/open-storage.js'
import { readSettings } from '../src/cli/settings.js'
import { sendTo } from '../src/client/client.js'
import type { ImportLine } from '../src/contract/import-line.js'
import type { Operation } from '../src/contract/operation.js'
import { operatorOpenApi } from '../src/contract/operator/description.js'
import type { OperatorOperation } from '../src/contract/operator/operation.js'
import { operatorOperations } from '../src/contract/operator/operations.js'
import { portalOpenApi } from '../src/contract/portal/description.js'
import { portalOperations } from '../src/contract/portal/operations.js'
import { publicOpenApi } from '../src/contract/public/description.js'
import type { Examples } from '../src/contract/public/examples.js'
import { type OperationName, operationNames, operations } from '../src/contract/public/operations.js'
import {
  operatorRefusalCodes,
  portalRefusalCodes,
  publicRefusalCodes,
  type RefusalCode,
  refusals,
} from '../src/contract/refusals.js'
import { migrate } from '../src/database/migrate.js'
import { importLines } from '../src/ingest/lines/import.js'
import { demoLines } from '../src/sandbox/demo.js'
import { sandboxCalendars, sandboxTerms } from '../src/sandbox/free-time.js'
import { evaluateAccount } from '../src/usecases/exceptions/run-exceptions.js'
import { saveFreeTime } from '../src/usecases/free-time/save-free-time.js'
import { postmanCollection } from './postman.js'

/**
 * Writes the generated files that are checked in: examples of every operation, taken from the sandbox on a fixed day; the
 * OpenAPI descriptions; the clients' routes; docs/errors.md. With --check it writes nothing, and fails if one is out of
 * date.
 */
const webhookBodies: Partial<Record<OperationName, unknown>> = {
  createWebhook: {
    url: 'https://erp.nordlicht.example/waybill',
    types: ['shipment.updated', 'exception.raised'],
    description: 'ERP',
    ordered: true,
  },
  updateWebhook: { types: ['shipment.updated', 'exception.raised', 'exception.cleared'] },
  rotateWebhookSecret: { overlap_hours: 24 },
  replayWebhook: { from: new Date().toISOString() },
}

const day = '2026-01-15'
const publicUrl = 'https://waybill.example.com'
const root = new URL('../', import.meta.url)

const examples = await takeExamples()
const files = {
  'src/contract/public/examples.ts': examplesFile(examples),
  'src/client/routes.ts': routesFile(),
  'src/client/portal-routes.ts': portalRoutesFile(),
  'src/client/operator-routes.ts': operatorRoutesFile(),
  'openapi.json': `${JSON.stringify(publicOpenApi(examples), null, 2)}\n`,
  'ops-openapi.json': `${JSON.stringify(operatorOpenApi(), null, 2)}\n`,
  'portal-openapi.json': `${JSON.stringify(portalOpenApi('portal'), null, 2)}\n`,
  'office-openapi.json': `${JSON.stringify(portalOpenApi('office'), null, 2)}\n`,
  'postman/waybill.json': `${JSON.stringify(postmanCollection(publicOpenApi(examples)), null, 2)}\n`,
  'postman/waybill-operators.json': `${JSON.stringify(postmanCollection(operatorOpenApi()), null, 2)}\n`,
  'docs/errors.md': errorsFile(),
}
const stale: string[] = []
for (const [path, content] of Object.entries(files)) {
  const before = await readFile(new URL(path, root), 'utf8').catch(() => '')
  if (before === content) continue
  stale.push(path)
  if (!process.argv.includes('--check')) await writeFile(new URL(path, root), content)
}
if (process.argv.includes('--check') && stale.length > 0) {
  console.error(`out of date: ${stale.join(', ')}; run \`npm run generate\``)
  process.exitCode = 1
} else {
  console.log(stale.length === 0 ? 'All generated files are up to date.' : `Wrote ${stale.join(', ')}.`)
}

async function takeExamples(): Promise<Examples> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-generate-'))
  const storage = await connectStorage(readSettings({ WAYBILL_DATA_DIR: folder }))
  await migrate(storage.db)
  const lines: ImportLine[] = []
  for await (const line of demoLines(day)) lines.push(line)
  await importLines(storage, [Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))] as never, {
    folder,
    skipInvalid: false,
    author: 'sandbox',
    onFault: (fault) => {
      throw new Error(JSON.stringify(fault))
    },
  })
  const [demo] = await storage.db<{ id: number }[]>`select account_id as id from accounts where slug = 'demo'`
  await evaluateAccount(storage.db, demo?.id ?? 0, Date.parse(`${day}T12:00:00Z`))
  await saveFreeTime(storage.db, { terms: sandboxTerms, calendars: sandboxCalendars(day) }, 'sandbox')
  const app = await buildApp({
    ...storage,
    rateLimit: undefined,
    publicUrl,
    trustedProxies: new BlockList(),
    demoAccount: 'demo',
    serves: { customers: true, operators: false },
    forwarderName: 'Waybill',
    cacheBytes: 0,
    eventDays: 90,
    logLevel: 'silent',
    portal: { sendMail: async () => {} },
  })
  const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
  const taken: Examples = {}
  for (const name of operationNames) {
    const [exception] = (taken.listExceptions?.response ?? []) as { exception_id: string }[]
    const shared = taken.createSharedLink?.response as { link: { link_id: string } } | undefined
    const webhook = taken.createWebhook?.response as { webhook: { webhook_id: string } } | undefined
    const delivery = taken.testWebhook?.response as { delivery_id: string } | undefined
    const known = {
      exception_id: exception?.exception_id,
      link_id: shared?.link.link_id,
      webhook_id: webhook?.webhook.webhook_id,
      delivery_id: delivery?.delivery_id,
    }
    const input = inputFor(name, lines, known)
    const isForm = 'accepts' in operations[name]
    const response = await sendTo(
      { baseUrl },
      operations[name],
      isForm ? { body: formOf(input.body as Record<string, string>) } : input,
    )
    const body: unknown = await response.json()
    if (!response.ok) throw new Error(`${name}: ${JSON.stringify(body)}`)
    taken[name] = { ...input, response: Array.isArray(body) ? body.slice(0, 1) : body }
  }
  await app.close()
  await storage.close()
  await rm(folder, { recursive: true, force: true })
  return withFixedValues(taken)
}

// One shipment under way, and the records that refer to it.
function inputFor(
  name: OperationName,
  lines: ImportLine[],
  known: Partial<Record<'exception_id' | 'link_id' | 'webhook_id' | 'delivery_id', string | undefined>>,
): { params?: Record<string, string>; query?: Record<string, string | number>; body?: unknown } {
  const own = lines.filter((line) => line.account === 'demo')
  const shipment = own.find(
    (line) => line.kind === 'shipment' && line.data.status === 'in_progress' && line.data.freight_mode === 'ocean',
  )
  const id = shipment?.kind === 'shipment' ? shipment.data.svc_shipment_id : ''
  const assignment = own.find((line) => line.kind === 'assignment' && line.data.svc_shipment_id === id)
  const invoice = own.find((line) => line.kind === 'invoice')
  const location = own.find((line) => line.kind === 'location')
  const order = own.find((line) => line.kind === 'purchase_order' && line.data.product_lines.length === 2)
  const params: Record<string, string> = {
    svc_shipment_id: id,
    reference:
      (name === 'getInvoice' || name === 'getInvoiceChecks'
        ? invoice?.kind === 'invoice' && invoice.data.reference
        : assignment?.kind === 'assignment' && assignment.data.reference) || '',
    ...(known as Record<string, string>),
    id: String(location?.kind === 'location' ? location.data.id : ''),
  }
  if (name === 'listEvents') return { query: { types: 'shipment.created', limit: 1 } }
  if (name === 'getFreeTime') {
    // What has ended does not depend on the day.
    const ended = own.find(
      ({ kind, data }) =>
        kind === 'shipment' && data.status === 'finished' && data.route?.destination_port_unlocode === 'FR/FOS',
    )
    return { params: { svc_shipment_id: ended?.kind === 'shipment' ? ended.data.svc_shipment_id : '' } }
  }
  const operation: Operation = operations[name]
  const wanted = Object.keys(operation.params?.properties ?? {})
  const body = order?.kind === 'purchase_order' && { ...order.data, reference: 'PO/2026/9001' }
  if (name === 'proposeDocument') {
    const proposal = '5d1f0a3c-7f0e-4a64-8a53-0b6c1d2e3f51'
    return { body: { file: 'packing list.csv', id: proposal, svc_shipment_id: id, type: 'packing_list' } }
  }
  if (name === 'uploadMessageFile') return { body: { file: 'packing list.csv' } }
  if (name === 'postMessage')
    return { body: { svc_shipment_id: id, text: 'Can the container be delivered on Thursday morning?' } }
  // Created by the example before.
  if (name === 'cancelPurchaseOrder')
    return { params: { reference: 'PO/2026/9001' }, body: { reason: 'Ordered twice' } }
  const webhookBody = webhookBodies[name]
  return {
    ...(wanted.length > 0 && { params: Object.fromEntries(wanted.map((each) => [each, params[each] ?? ''])) }),
    ...(operation.body && {
      body:
        webhookBody ??
        (name === 'acknowledgeException'
          ? { note: 'We have informed our customer' }
          : name === 'createSharedLink'
            ? { name: 'Warehouse in Lyon', days: 30, parties: true }
            : name === 'createPurchaseOrder'
              ? body
              : body && { reference: body.reference, product_lines: body.product_lines }),
    }),
  }
}

function formOf({ file, ...fields }: Record<string, string>): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', new Blob(['SKU,Cartons\nNL-4711,40\n']), file)
  return form
}

// Signatures of document links, shared links, and the times of proposals, differ from run to run, and how late things are from
// day to day.
function withFixedValues(taken: Examples): Examples {
  const text = JSON.stringify(taken, (name, value: unknown) => (/Webhook/.test(name) ? ofWebhook(value) : value))
    .replaceAll(/\/documents\/[\w-]+/g, '/documents/AAAAAWlo3zwYmV0d2VlbiAxNSBhbmQgMzAgbWludXRlcw')
    .replaceAll(/"proposed_at":"[^"]+"/g, `"proposed_at":"${day}T09:30:00.000Z"`)
    .replaceAll(/"sent_at":"[^"]+"/g, `"sent_at":"${day}T09:30:00.000Z"`)
    .replaceAll(/msg_\w+/g, 'msg_5f0c9a7e31d2b8460c1d')
    .replaceAll(/"file_id":"[^"]+"/g, '"file_id":"5d1f0a3c-7f0e-4a64-8a53-0b6c1d2e3f61"')
    .replaceAll(/"cancelled_at":"[^"]+"/g, `"cancelled_at":"${day}T09:30:00.000Z"`)
    .replaceAll(/"at":"[^"]+"/g, `"at":"${day}T12:34:56.789Z"`)
    .replaceAll(/"id":"evt_[^"]+"/g, '"id":"evt_1_5Yf0rVb1Zq8wXh2nT7cK3A"')
    .replaceAll(/"cursor":"[^"]+"/g, '"cursor":"Q0pMVG9rZW5PZkFuRXhhbXBsZS8xLnNoaXBtZW50LlMx"')
    .replaceAll(/"days_late":\d+/g, '"days_late":3')
    .replaceAll(/shr_\w+/g, 'shr_5f0c9a7e31d2b846')
    .replaceAll(/share#[\w-]+/g, 'share#AAECAwQFBgcICQoLDA0ODxAREhMUFRYX')
    .replaceAll(/"revoked_at":"[^"]+"/g, `"revoked_at":"${day}T10:30:00.000Z"`)
    .replaceAll(
      /"created_at":"[^"]+","expires_at":"[^"]+"/g,
      `"created_at":"${day}T09:30:00.000Z","expires_at":"2026-02-14T09:30:00.000Z"`,
    )
  return JSON.parse(text) as Examples
}

// Everything about them is new at each run.
function ofWebhook(example: unknown): unknown {
  const text = JSON.stringify(example)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, `${day}T09:30:00.000Z`)
    .replaceAll(/whsec_[\w+/=]+/g, 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDlOGWNvjyJ6Y=')
    .replaceAll(/wh_[0-9a-f]{24}/g, 'wh_3f9b7c1d2e4a5f60718293a4')
    .replaceAll(/dlv_[0-9a-f]{24}/g, 'dlv_8c1d5e7f9a0b2c4d6e8f0a1b')
    .replaceAll(/evt_test_[\w-]+/g, 'evt_test_5Yf0rVb1Zq8wXh2nT7cK3A')
    .replaceAll(/("revision\\?":)\d+/g, '$1812')
  return JSON.parse(text) as unknown
}

function examplesFile(taken: Examples): string {
  return `import type { OperationName } from './operations.js'

// Generated by \`npm run generate\` from the sandbox: do not edit.

export type Examples = Partial<
  Record<
    OperationName,
    { params?: Record<string, string>; query?: Record<string, string | number>; body?: unknown; response: unknown }
  >
>

export const examples: Examples = ${JSON.stringify(taken, null, 2)}
`
}

function rows(table: Record<string, Pick<Operation, 'method' | 'path'>>): string[] {
  return Object.entries(table).map(([name, { method, path }]) => {
    const row = `  ${name}: { method: '${method}', path: '${path}' },\n`
    return row.length <= 121 ? row : `  ${name}: {\n    method: '${method}',\n    path: '${path}',\n  },\n`
  })
}

function operatorRoutesFile(): string {
  const isJson = ({ accepts, returns }: OperatorOperation) => accepts === undefined && returns === undefined
  const all = Object.entries<OperatorOperation>(operatorOperations)
  const table = (isListed: (operation: OperatorOperation) => boolean) =>
    rows(Object.fromEntries(all.filter(([, operation]) => isListed(operation)))).join('')
  return `import type { OperatorOperationName } from '../contract/operator/operations.js'
import type { ClientRoute } from './routes.js'

// Generated by \`npm run generate\`, as routes.ts is: do not edit. Apart, so that customers' clients do not contain it.

type Routes = Partial<Record<OperatorOperationName, ClientRoute>>

export const operatorRoutes = {
${table(isJson)}} satisfies Routes

/** Of requests and responses that are not JSON. */
export const operatorFileRoutes = {
${table((operation) => !isJson(operation))}} satisfies Routes
`
}

function routesFile(): string {
  return `import type { OperationName } from '../contract/public/operations.js'

// Generated by \`npm run generate\` from the tables of operations: do not edit. Clients need only method and path; importing
// the tables would load all schemas into the browser.

export type ClientRoute = { method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; path: string }

export const publicRoutes: Record<OperationName, ClientRoute> = {
${rows(operations).join('')}}
`
}

function portalRoutesFile(): string {
  return `import type { PortalOperationName } from '../contract/portal/operations.js'
import type { ClientRoute } from './routes.js'

// Generated by \`npm run generate\`, as routes.ts is: do not edit. Apart, so that customers' clients do not contain it.

export const portalRoutes: Record<PortalOperationName, ClientRoute> = {
${rows(portalOperations).join('')}}
`
}

function errorsFile(): string {
  const section = (code: RefusalCode) => {
    const { status, title, explanation, remedy } = refusals[code]
    return `### \`${code}\`\n\n**${status}** ${title}\n\n${explanation}\n\n*What to do:* ${remedy}\n`
  }
  const sections = [
    '## The public interface (most codes also occur in the others)\n',
    ...publicRefusalCodes.map(section),
    '## The operator interface (some codes also occur in the portal)\n',
    ...operatorRefusalCodes.map(section),
    '## The portal\n',
    ...portalRefusalCodes.map(section),
  ]
  return `# Error codes\n\nGenerated from \`src/contract/refusals.ts\`, \`src/contract/operator/refusals.ts\` and \`src/contract/portal/refusals.ts\` by \`npm run generate\`. The service has a page for each at \`/errors/<code>\`, the \`type\` of the problem body.\n\n${sections.join('\n')}`
}
