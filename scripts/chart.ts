import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import { parse, parseAllDocuments, stringify } from 'yaml'

/**
 * `npm run chart`: renders the chart with five sets of values and validates every manifest against Kubernetes' schemas. Renders
 * with Helm, or else with scripts/chart-render.go and Debian's Go packages. Installs the schemas into a temporary folder.
 */

type Values = { [name: string]: unknown }

const chart = resolve('deploy/chart')
const database = { database: { existingSecret: 'waybill-database' } }
const sets: Record<string, Values> = {
  'the least': database,
  'one process with a volume': {
    ...database,
    replicas: 1,
    documents: { volume: { enabled: true, storageClass: 'fast' } },
  },
  production: {
    ...database,
    documents: { existingSecret: 'waybill-documents' },
    publicUrl: 'https://api.forwarder.example',
    ingress: { enabled: true, className: 'nginx', host: 'api.forwarder.example', tlsSecret: 'api-tls' },
    existingSecrets: ['waybill-mail'],
    trustedProxies: '10.0.0.0/8',
    networkPolicy: { enabled: true, from: [{ namespaceSelector: {} }] },
    autoscaling: { enabled: true },
    metrics: { annotations: false, podMonitor: true },
  },
  'one port, no job': {
    ...database,
    operators: { separatePort: false },
    migration: { enabled: false },
    disruptionBudget: { enabled: false },
    settings: { WAYBILL_LOG_LEVEL: 'warn' },
  },
  'chosen nodes': {
    ...database,
    imagePullSecrets: [{ name: 'registry' }],
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ key: 'waybill', operator: 'Exists' }],
    service: { type: 'LoadBalancer', port: 8080 },
  },
}

const folder = mkdtempSync(join(tmpdir(), 'waybill-chart-'))
try {
  main()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function main(): void {
  const render = renderer()
  writeFileSync(join(folder, 'package.json'), '{"private": true}')
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', 'kubernetes-models@4'])
  const models = createRequire(join(folder, 'package.json'))
  const usual = parse(readFileSync(join(chart, 'values.yaml'), 'utf8')) as Values
  const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')) as object
  const isValid = new Ajv({ strict: false }).compile(schema)
  for (const [name, given] of Object.entries(sets)) {
    const values = merged(usual, given)
    if (!isValid(values)) throw new Error(`${name}: ${JSON.stringify(isValid.errors)}`)
    writeFileSync(join(folder, 'values.yaml'), stringify(values))
    const manifests = parseAllDocuments(render(join(folder, 'values.yaml')))
      .map((each) => each.toJS() as { apiVersion: string; kind: string } | null)
      .filter((each) => each !== null)
    console.log(`${name}: ${manifests.map((each) => `${each.kind}${validated(models, each)}`).join(', ')}`)
  }
}

function validated(models: NodeJS.Require, manifest: { apiVersion: string; kind: string }): string {
  const { apiVersion, kind } = manifest
  // Of the Prometheus operator, and no part of Kubernetes.
  if (apiVersion.startsWith('monitoring.coreos.com/')) return ' (no schema)'
  const model = models(`kubernetes-models/${apiVersion}/${kind}`) as Record<
    string,
    new (
      data: object,
    ) => { validate(): void }
  >
  const Model = model[kind]
  if (!Model) throw new Error(`no schema of ${apiVersion} ${kind}`)
  new Model(manifest).validate()
  return ''
}

/** Helm, or the program beside this one. */
function renderer(): (values: string) => string {
  if (spawnSync('helm', ['version']).status === 0) {
    return (values) => run('helm', ['template', 'release', chart, '--values', values])
  }
  if (spawnSync('go', ['version']).status !== 0) {
    console.error('Neither Helm nor Go is installed. On Debian: apt-get install --no-install-recommends \\')
    console.error('  golang-go golang-github-masterminds-sprig-dev golang-github-ghodss-yaml-dev')
    process.exit(1)
  }
  const program = join(folder, 'chart-render')
  const environment = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '' }
  run('go', ['build', '-o', program, resolve('scripts/chart-render.go')], environment)
  return (values) => run(program, [chart, values])
}

function run(command: string, args: string[], environment: Record<string, string> = {}): string {
  const env = { ...process.env, ...environment }
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${error?.message ?? ''}${stdout}${stderr}`)
  return stdout
}

function merged(usual: Values, given: Values): Values {
  const isObject = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  const entries = Object.entries(given).map(([name, value]) => {
    const before = usual[name]
    return [name, isObject(value) && isObject(before) ? merged(before, value) : value]
  })
  return { ...usual, ...(Object.fromEntries(entries) as Values) }
}
