import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Operation } from '../src/contract/operation.js'
import { operations } from '../src/contract/public/operations.js'
import { startSandbox } from '../src/testing/sandbox.js'

/**
 * Generates clients of /v1 by other people's tools, and checks that they accept everything that the sandbox responds to
 * reads; lints the descriptions of all interfaces. Installs the tools into a folder of its own from the registry: they are no
 * dependencies of this repository.
 */

const tools = [
  'typescript@5',
  'openapi-typescript@7',
  '@hey-api/openapi-ts',
  'orval',
  'quicktype',
  '@redocly/cli',
  '@stoplight/spectral-cli@6',
]
/** Parameters without which an operation refuses. */
const requiredQuery: Record<string, string> = { simulateDelay: '?days=3' }
// Resources of a kind whose single reads are checked.
const most = 40

// Where Debian has it: `apt-get install mono-mcs libnewtonsoft-json-cil-dev`.
const newtonsoft = '/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll'

const folder = resolve('node_modules/.cache/waybill-clients')
const descriptions = ['openapi.json', 'ops-openapi.json', 'portal-openapi.json', 'office-openapi.json']
const description = resolve('openapi.json')
let failed = 0

await main()
process.exitCode = failed === 0 ? 0 : 1

type Answers = Record<string, unknown[]>

async function main(): Promise<void> {
  mkdirSync(folder, { recursive: true })
  rmSync(join(folder, 'src'), { recursive: true, force: true })
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}')
  console.log(`Installing ${tools.join(', ')}`)
  await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...tools], {
    cwd: folder,
  })
  const answers = await collectAnswers()
  const responses = Object.values(answers).reduce((sum, { length }) => sum + length, 0)
  console.log(`${responses} responses of the sandbox to ${Object.keys(answers).length} operations`)
  checkTypes(answers)
  checkQuicktype(answers)
  lint()
}

/** The responses to all reads, by operation; single ones for many resources. */
async function collectAnswers(): Promise<Answers> {
  const sandbox = await startSandbox({ settings: { WAYBILL_WEBHOOK_PRIVATE_NETWORKS: 'on', WAYBILL_RATE_LIMIT: '0' } })
  const headers = { authorization: `Bearer ${sandbox.key}`, 'content-type': 'application/json' }
  const send = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const response = await fetch(`${sandbox.url}${path}`, { headers, ...init })
    // Some shipments have no tracking.
    if (response.status === 404) return undefined
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return response.json()
  }
  const idsOf = async (list: string, field: string) =>
    ((await send(`/v1/${list}`)) as Record<string, string>[]).slice(0, most).map((each) => each[field] ?? '')
  try {
    const body = JSON.stringify({ url: 'http://127.0.0.1:9/waybill', types: [] })
    await send('/v1/webhooks', { method: 'POST', body })
    const shipments = await idsOf('shipments', 'svc_shipment_id')
    const link = JSON.stringify({ name: 'Checked' })
    await send(`/v1/shipments/${shipments[0]}/links`, { method: 'POST', body: link })
    const orders = await idsOf('purchaseOrders', 'po_number')
    const invoices = await idsOf('invoices', 'reference')
    const known: Record<string, string[]> = {
      svc_shipment_id: shipments,
      id: await idsOf('locations', 'id'),
      exception_id: await idsOf('exceptions', 'exception_id'),
      webhook_id: await idsOf('webhooks', 'webhook_id'),
    }
    const answers: Answers = {}
    for (const [name, { method, path }] of Object.entries(operations) as [string, Operation][]) {
      if (method !== 'GET') continue
      const param = /\{(\w+)\}/.exec(path)?.[1]
      const ids = param === 'reference' ? (path.includes('invoices') ? invoices : orders) : known[param ?? '']
      const paths = ids?.map((id) => path.replace(`{${param}}`, encodeURIComponent(id))) ?? [path]
      const query = requiredQuery[name] ?? ''
      const found = await Promise.all(paths.map((each) => send(each + query)))
      answers[name] = found.filter((answer) => answer !== undefined)
      if (answers[name].length === 0) throw new Error(`${name}: no response of the sandbox was collected`)
    }
    return answers
  } finally {
    await sandbox.close()
  }
}

/** TypeScript: every response is assigned to the type that each tool generated for it. */
function checkTypes(answers: Answers): void {
  const names = Object.keys(answers)
  const pathOf = (name: string) => operations[name as keyof typeof operations].path
  const pascal = (name: string) => name[0]?.toUpperCase() + name.slice(1)
  mkdirSync(join(folder, 'src'))
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
    const lines = names.map((name) => `export const ${name}: (${typeOf(name)})[] = ${JSON.stringify(answers[name])}`)
    writeFileSync(join(folder, file), [imports, ...lines].join('\n'))
    const generated = run(command)
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--lib', 'es2022,dom']
    const compiled =
      generated === undefined
        ? run(['tsc', ...options, '--module', 'nodenext', '--moduleResolution', 'nodenext', file])
        : generated
    report(tool, `the responses of ${names.length} operations compile`, compiled)
  }
}

/** Python, Go and C#, from the schemas of the responses. Only languages whose tools are installed can be run (Debian: `golang-go mono-mcs libnewtonsoft-json-cil-dev`). */
function checkQuicktype(answers: Answers): void {
  const document = JSON.parse(readFileSync(description, 'utf8')) as {
    paths: Record<string, { get: { responses: { 200: { content: { 'application/json': { schema: object } } } } } }>
    components: { schemas: object }
  }
  const schemas = Object.keys(answers).map((name) => {
    const found = document.paths[operations[name as keyof typeof operations].path]
    return [name, { type: 'array', items: found?.get.responses[200].content['application/json'].schema }]
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

  const csharp = generate('csharp', 'Answers.cs', '--framework', 'NewtonSoft', '--csharp-version', '6')
  writeFileSync(
    join(folder, 'Parse.cs'),
    'public static class Parse { public static void Main() { QuickType.Answers.FromJson(System.IO.File.ReadAllText("answers.json")); } }\n',
  )
  const compiled = withTool('mcs', [`-reference:${newtonsoft}`, '-out:Parse.exe', 'Parse.cs', 'Answers.cs'])
  const parsed = compiled ?? withTool('mono', ['Parse.exe'], { MONO_PATH: dirname(newtonsoft) })
  report('quicktype, C#', 'parses every response', csharp ?? parsed)
}

/** By the rules that these tools recommend. A warning fails, too. */
function lint(): void {
  writeFileSync(join(folder, 'redocly.yaml'), 'extends: [recommended]\n')
  writeFileSync(join(folder, 'spectral.yaml'), 'extends: spectral:oas\n')
  for (const file of descriptions) {
    const path = resolve(file)
    const linted = runWithOutput(['redocly', 'lint', path, '--config', 'redocly.yaml'])
    const warned = /\b\d+ warnings?\b/i.test(linted.output) ? linted.output : undefined
    report('Redocly', `${file} has no warning`, linted.failure ?? warned)
    report('Spectral', `${file} has no warning`, run(['spectral', 'lint', path, '-r', 'spectral.yaml', '-F', 'hint']))
  }
}

/** The output of a tool that failed; undefined if it succeeded. */
function run(command: string[]): string | undefined {
  return runWithOutput(command).failure
}

function runWithOutput([program = '', ...args]: string[]): { output: string; failure: string | undefined } {
  const { status, stdout, stderr, error } = spawnSync(join(folder, 'node_modules', '.bin', program), args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const output = `${stdout}${stderr}`
  return { output, failure: status === 0 ? undefined : `${error?.message ?? ''}${output}` }
}

function withTool(program: string, args: string[], variables: Record<string, string> = {}): string | undefined {
  const env = { ...process.env, ...variables }
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', env })
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
