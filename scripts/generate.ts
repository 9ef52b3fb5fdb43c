import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectStorage } from '../src/cli/open-storage.js'
import { readSettings } from '../src/cli/settings.js'
import { sendTo } from '../src/client/client.js'
import type { Examples } from '../src/contract/examples.js'
import type { ImportLine } from '../src/contract/import-line.js'
import type { Operation } from '../src/contract/operation.js'
import { type OperationName, operationNames, operations } from '../src/contract/operations.js'
import { operatorOpenApi } from '../src/contract/ops/description.js'
import { portalOpenApi } from '../src/contract/portal/description.js'
import { portalOperations } from '../src/contract/portal/operations.js'
import { publicOpenApi } from '../src/contract/public-description.js'
import {
  operatorRefusalCodes,
  portalRefusalCodes,
  publicRefusalCodes,
  type RefusalCode,
  refusals,
} from '../src/contract/refusals.js'
import { buildApp } from '../src/http/app.js'
import { importLines } from '../src/operator/import/import.js'
import { demoLines } from '../src/sandbox/demo.js'
import { migrate } from '../src/storage/migrate.js'

/**
 * Writes what is generated and checked in: examples of every operation, taken from the sandbox as it is on a
 * fixed day; the OpenAPI descriptions; the clients' routes; docs/errors.md. With --check it writes nothing and fails
 * where something is stale.
 */
const day = '2026-01-15'
const publicUrl = 'https://waybill.example.com'
const root = new URL('../', import.meta.url)

const examples = await takeExamples()
const files = {
  'src/contract/examples.ts': examplesFile(examples),
  'src/client/routes.ts': routesFile(),
  'openapi.json': `${JSON.stringify(publicOpenApi(examples), null, 2)}\n`,
  'ops-openapi.json': `${JSON.stringify(operatorOpenApi(), null, 2)}\n`,
  'portal-openapi.json': `${JSON.stringify(portalOpenApi(), null, 2)}\n`,
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
  console.error(`stale: ${stale.join(', ')}; run \`npm run generate\``)
  process.exitCode = 1
} else {
  console.log(stale.length === 0 ? 'Everything generated is up to date.' : `Wrote ${stale.join(', ')}.`)
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
  const app = await buildApp({
    ...storage,
    rateLimit: undefined,
    publicUrl,
    demoAccount: 'demo',
    serves: { customers: true, operators: false },
    forwarderName: 'Waybill',
    answerMemory: 0,
    logLevel: 'silent',
    portal: { sendMail: async () => {} },
  })
  const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
  const taken: Examples = {}
  for (const name of operationNames) {
    const input = inputFor(name, lines)
    const response = await sendTo({ baseUrl }, operations[name], input)
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(`${name}: ${JSON.stringify(answer)}`)
    taken[name] = { ...input, answer: tidy(Array.isArray(answer) ? answer.slice(0, 1) : answer) }
  }
  await app.close()
  await storage.close()
  await rm(folder, { recursive: true, force: true })
  return taken
}

// One shipment under way, and what belongs to it.
function inputFor(name: OperationName, lines: ImportLine[]): { params?: Record<string, string>; body?: unknown } {
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
      (name === 'getInvoice'
        ? invoice?.kind === 'invoice' && invoice.data.reference
        : assignment?.kind === 'assignment' && assignment.data.reference) || '',
    id: String(location?.kind === 'location' ? location.data.id : ''),
  }
  const operation: Operation = operations[name]
  const wanted = Object.keys(operation.params?.properties ?? {})
  const body = order?.kind === 'purchase_order' && { ...order.data, reference: 'PO/2026/9001' }
  return {
    ...(wanted.length > 0 && { params: Object.fromEntries(wanted.map((each) => [each, params[each] ?? ''])) }),
    ...(operation.body && {
      body:
        name === 'createPurchaseOrder'
          ? body
          : body && { reference: body.reference, product_lines: body.product_lines },
    }),
  }
}

// Signatures differ from run to run.
function tidy(answer: unknown): unknown {
  const text = JSON.stringify(answer).replaceAll(
    /\/documents\/[\w-]+/g,
    '/documents/AAAAAWlo3zwYmV0d2VlbiAxNSBhbmQgMzAgbWludXRlcw',
  )
  return JSON.parse(text)
}

function examplesFile(taken: Examples): string {
  return `import type { OperationName } from './operations.js'

// Generated by \`npm run generate\` from the sandbox: do not edit.

export type Examples = Partial<Record<OperationName, { params?: Record<string, string>; body?: unknown; answer: unknown }>>

export const examples: Examples = ${JSON.stringify(taken, null, 2)}
`
}

function routesFile(): string {
  const rows = (table: Record<string, Pick<Operation, 'method' | 'path'>>) =>
    Object.entries(table).map(([name, { method, path }]) => `  ${name}: { method: '${method}', path: '${path}' },\n`)
  return `import type { OperationName } from '../contract/operations.js'
import type { PortalOperationName } from '../contract/portal/operations.js'

// Generated by \`npm run generate\` from the tables of operations: do not edit. Whoever calls an operation needs no more of
// it, and a browser would have to load all schemas.

export type Route = { method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; path: string }

export const publicRoutes: Record<OperationName, Route> = {
${rows(operations).join('')}}

export const portalRoutes: Record<PortalOperationName, Route> = {
${rows(portalOperations).join('')}}
`
}

function errorsFile(): string {
  const section = (code: RefusalCode) => {
    const { status, title, explanation, remedy } = refusals[code]
    return `### \`${code}\`\n\n**${status}** ${title}\n\n${explanation}\n\n*What to do:* ${remedy}\n`
  }
  const sections = [
    '## The public interface (most of them are met in the others, too)\n',
    ...publicRefusalCodes.map(section),
    '## The operator interface (some of them are met in the portal, too)\n',
    ...operatorRefusalCodes.map(section),
    '## The portal\n',
    ...portalRefusalCodes.map(section),
  ]
  return `# Error codes\n\nGenerated from \`src/contract/refusals.ts\`, \`src/contract/ops/refusals.ts\` and \`src/contract/portal/refusals.ts\` by \`npm run generate\`. The service shows each at \`/errors/<code>\`, the \`type\` of the problem body.\n\n${sections.join('\n')}`
}
