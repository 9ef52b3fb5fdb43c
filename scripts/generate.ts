import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectStorage } from '../src/cli/open-storage.js'
import { readSettings } from '../src/cli/settings.js'
import { send } from '../src/client/client.js'
import type { Examples } from '../src/contract/examples.js'
import type { ImportLine } from '../src/contract/import-line.js'
import type { Operation } from '../src/contract/operation.js'
import { type OperationName, operationNames, operations } from '../src/contract/operations.js'
import { operatorOpenApi } from '../src/contract/ops/description.js'
import { publicOpenApi } from '../src/contract/public-description.js'
import { publicRefusalCodes, type RefusalCode, refusalCodes, refusals } from '../src/contract/refusals.js'
import { buildApp } from '../src/http/app.js'
import { importLines } from '../src/operator/import/import.js'
import { demoLines } from '../src/sandbox/demo.js'
import { migrate } from '../src/storage/migrate.js'

/**
 * Writes what is generated and checked in: examples of every operation, taken from the sandbox as it is on a
 * fixed day; openapi.json; docs/errors.md. With --check it writes nothing and fails where something is stale.
 */
const day = '2026-01-15'
const publicUrl = 'https://waybill.example.com'
const root = new URL('../', import.meta.url)

const examples = await takeExamples()
const files = {
  'src/contract/examples.ts': examplesFile(examples),
  'openapi.json': `${JSON.stringify(publicOpenApi(examples), null, 2)}\n`,
  'ops-openapi.json': `${JSON.stringify(operatorOpenApi(), null, 2)}\n`,
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
  })
  const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' })
  const taken: Examples = {}
  for (const name of operationNames) {
    const input = inputFor(name, lines)
    const response = await send({ baseUrl }, name, input as never)
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

function errorsFile(): string {
  const section = (code: RefusalCode) => {
    const { status, title, explanation, remedy } = refusals[code]
    return `### \`${code}\`\n\n**${status}** ${title}\n\n${explanation}\n\n*What to do:* ${remedy}\n`
  }
  const shared = new Set<RefusalCode>(publicRefusalCodes)
  const operatorsOnly = refusalCodes.filter((code) => !shared.has(code))
  const sections = [
    '## The public interface (most of them are met in the operator interface, too)\n',
    ...publicRefusalCodes.map(section),
    '## The operator interface\n',
    ...operatorsOnly.map(section),
  ]
  return `# Error codes\n\nGenerated from \`src/contract/refusals.ts\` and \`src/contract/ops/refusals.ts\` by \`npm run generate\`. The service shows each at \`/errors/<code>\`, the \`type\` of the problem body.\n\n${sections.join('\n')}`
}
