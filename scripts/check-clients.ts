import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Operation } from '../src/contract/operation.js'
import { operations } from '../src/contract/public/operations.js'
import { startSandbox } from '../src/testing/sandbox.js'

/**
 * Generates clients of /v1 by other people's tools, and checks that they accept everything that the sandbox responds to
 * reads. Installs the tools into a temporary folder from the registry: they are no dependencies of this repository.
 */

const tools = ['typescript@5', 'openapi-typescript@7', '@hey-api/openapi-ts', 'orval', 'quicktype']

const folder = mkdtempSync(join(tmpdir(), 'waybill-clients-'))
const description = resolve('openapi.json')
let failed = 0

try {
  await main()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failed === 0 ? 0 : 1

async function main(): Promise<void> {
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}')
  console.log(`Installing ${tools.join(', ')}`)
  await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...tools], {
    cwd: folder,
  })
  const answers = await collectAnswers()
  console.log(`${Object.keys(answers).length} reads of the sandbox`)
  checkTypes(answers)
  checkQuicktype(answers)
}

/** The responses to all reads with a JSON body, by operation. */
async function collectAnswers(): Promise<Record<string, unknown>> {
  const sandbox = await startSandbox({ settings: { WAYBILL_WEBHOOK_PRIVATE_NETWORKS: 'on' } })
  const headers = { authorization: `Bearer ${sandbox.key}`, 'content-type': 'application/json' }
  const send = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const response = await fetch(`${sandbox.url}${path}`, { headers, ...init })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return response.json()
  }
  try {
    const [shipments, orders, invoices, locations, exceptions] = (await Promise.all(
      ['shipments', 'purchaseOrders', 'invoices', 'locations', 'exceptions'].map((list) => send(`/v1/${list}`)),
    )) as Record<string, string>[][]
    const body = JSON.stringify({ url: 'http://127.0.0.1:9/waybill', types: [] })
    const created = (await send('/v1/webhooks', { method: 'POST', body })) as { webhook: { webhook_id: string } }
    const known: Record<string, string | undefined> = {
      svc_shipment_id: shipments?.[0]?.svc_shipment_id,
      id: locations?.[0]?.id,
      exception_id: exceptions?.[0]?.exception_id,
      webhook_id: created.webhook.webhook_id,
    }
    const answers: Record<string, unknown> = {}
    for (const [name, { method, path }] of Object.entries(operations) as [string, Operation][]) {
      if (method !== 'GET') continue
      const reference = path.includes('invoices') ? invoices?.[0]?.reference : orders?.[0]?.po_number
      const address = path.replaceAll(/\{(\w+)\}/g, (_, param: string) =>
        encodeURIComponent(String({ ...known, reference }[param])),
      )
      answers[name] = await send(address)
    }
    return answers
  } finally {
    await sandbox.close()
  }
}

/** TypeScript: every response is assigned to the type that each tool generated for it. */
function checkTypes(answers: Record<string, unknown>): void {
  const names = Object.keys(answers)
  const pathOf = (name: string) => operations[name as keyof typeof operations].path
  const pascal = (name: string) => name[0]?.toUpperCase() + name.slice(1)
  mkdirSync(join(folder, 'src'))
  writeFileSync(
    join(folder, 'src', 'answers.ts'),
    names.map((name) => `export const ${name} = ${JSON.stringify(answers[name])} as const`).join('\n'),
  )
  type Tool = { name: string; command: string[]; imports: string; typeOf(name: string): string }
  const typescript: Tool[] = [
    {
      name: 'openapi-typescript',
      command: ['openapi-typescript', description, '-o', 'src/openapi-typescript.ts', '--immutable'],
      imports: "import type { paths } from './openapi-typescript.js'",
      typeOf: (name) => `paths['${pathOf(name)}']['get']['responses'][200]['content']['application/json']`,
    },
    {
      name: '@hey-api/openapi-ts',
      command: ['openapi-ts', '-i', description, '-o', 'src/hey', '-p', '@hey-api/typescript', '--silent'],
      imports: "import type * as hey from './hey/types.gen.js'",
      typeOf: (name) => `Readonly<hey.${pascal(name)}Response>`,
    },
    {
      name: 'orval',
      command: ['orval', '--input', description, '--output', 'src/orval.ts', '--client', 'fetch'],
      imports: "import type * as orval from './orval.js'",
      typeOf: (name) => `orval.${name}Response200['data']`,
    },
  ]
  for (const { name: tool, command, imports, typeOf } of typescript) {
    const file = `src/check-${tool.replaceAll(/\W/g, '')}.ts`
    // Not `as const` here: tools without an option for read-only arrays could not accept it.
    const lines = names.map((name) => `export const ${name}: ${typeOf(name)} = ${JSON.stringify(answers[name])}`)
    writeFileSync(join(folder, file), [imports, ...lines].join('\n'))
    const generated = run(command)
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--lib', 'es2022,dom']
    const compiled =
      generated === undefined
        ? run(['tsc', ...options, '--module', 'nodenext', '--moduleResolution', 'nodenext', file])
        : generated
    report(tool, `types of ${names.length} responses compile`, compiled)
  }
}

/** Python, Go and C#, from the schemas of the responses. Only languages whose tools are installed can be run. */
function checkQuicktype(answers: Record<string, unknown>): void {
  const document = JSON.parse(readFileSync(description, 'utf8')) as {
    paths: Record<string, { get: { responses: { 200: { content: { 'application/json': { schema: object } } } } } }>
    components: { schemas: object }
  }
  const schemas = Object.keys(answers).map((name) => {
    const found = document.paths[operations[name as keyof typeof operations].path]
    return [name, found?.get.responses[200].content['application/json'].schema]
  })
  const schema = {
    title: 'Answers',
    type: 'object',
    required: Object.keys(answers),
    properties: Object.fromEntries(schemas) as object,
    definitions: document.components.schemas,
  }
  // Dates stay texts: their classes need further packages.
  const text = JSON.stringify(schema)
    .replaceAll('#/components/schemas/', '#/definitions/')
    .replaceAll(/"format":"(?:date-time|date|uri|uuid)",?/g, '')
    .replaceAll(',}', '}')
  writeFileSync(join(folder, 'answers.schema.json'), text)
  writeFileSync(join(folder, 'answers.json'), JSON.stringify(answers))
  const generate = (language: string, file: string, ...options: string[]) =>
    run(['quicktype', '-s', 'schema', 'answers.schema.json', '--lang', language, '-o', file, ...options])

  const python = generate('python', 'answers.py', '--python-version', '3.7')
  writeFileSync(
    join(folder, 'parse.py'),
    "import json\nfrom answers import answers_from_dict\nprint(type(answers_from_dict(json.load(open('answers.json')))).__name__)\n",
  )
  report('quicktype, Python', 'parses every response', python ?? withTool('python3', ['parse.py']))

  const go = generate('go', 'answers.go', '--package', 'main')
  writeFileSync(
    join(folder, 'main.go'),
    'package main\n\nimport ("fmt"; "os")\n\nfunc main() {\n\tbytes, err := os.ReadFile("answers.json")\n\tif err == nil { _, err = UnmarshalAnswers(bytes) }\n\tif err != nil { fmt.Println(err); os.Exit(1) }\n}\n',
  )
  report('quicktype, Go', 'parses every response', go ?? withTool('go', ['run', 'main.go', 'answers.go']))

  const csharp = generate('csharp', 'Answers.cs', '--framework', 'SystemTextJson')
  report('quicktype, C#', 'is generated (compiling it needs dotnet)', csharp)
}

/** The output of a tool that failed; undefined if it succeeded. */
function run([program = '', ...args]: string[]): string | undefined {
  const { status, stdout, stderr, error } = spawnSync(join(folder, 'node_modules', '.bin', program), args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return status === 0 ? undefined : `${error?.message ?? ''}${stdout}${stderr}`
}

function withTool(program: string, args: string[]): string | undefined {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
  if (error && 'code' in error && error.code === 'ENOENT') return 'not installed'
  return status === 0 ? undefined : `${stdout}${stderr}`
}

function report(tool: string, what: string, failure: string | undefined): void {
  if (failure === 'not installed') console.log(`${tool}: generated; not run, since its language is not installed here`)
  else if (failure === undefined) console.log(`${tool}: ${what}`)
  else {
    failed += 1
    console.error(`${tool}: FAILED\n${failure.slice(0, 3000)}`)
  }
}
