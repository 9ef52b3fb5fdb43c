import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { documentedValues } from './documented-values.js'
import { podMonitor } from './pod-monitor-schema.js'

/**
 * `npm run chart`: renders the chart with sets of values, validates every manifest against Kubernetes' schemas, and checks that
 * values which would lose documents are refused. Renders with Helm, or else with scripts/chart-render.go and Debian's Go
 * packages. Installs the schemas into a temporary folder.
 */

type Values = { [name: string]: unknown }
type Container = { env: { name: string; value?: string }[]; resources?: object }
type Pod = { containers: [Container]; topologySpreadConstraints?: object[] } & Values
type Manifest = {
  apiVersion: string
  kind: string
  metadata: { name: string; annotations?: object }
  spec?: Values & { template?: { spec: Pod } }
}

const chart = resolve('deploy/chart')
const database = { database: { existingSecret: 'waybill-database' } }
const stored = { ...database, documents: { existingSecret: 'waybill-documents' } }
const everybody = { namespaceSelector: {} }
const staff = { ipBlock: { cidr: '10.20.0.0/16' } }
const databases = { ipBlock: { cidr: '10.0.0.0/24' } }
const volume = { enabled: true, storageClass: 'fast' }
const ssd = {
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'waybill', operator: 'Exists' }],
  affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
}
const sets: Record<string, Values> = {
  'the least': stored,
  'as documented': documentedValues(),
  'one process with a volume': { ...database, replicas: 1, documents: { volume } },
  'a shared volume': { ...database, documents: { volume: { ...volume, accessMode: 'ReadWriteMany' } } },
  production: {
    ...stored,
    publicUrl: 'https://api.forwarder.example',
    ingress: { enabled: true, className: 'nginx', host: 'api.forwarder.example', tlsSecret: 'api-tls' },
    existingSecrets: ['waybill-mail'],
    trustedProxies: '10.0.0.0/8',
    networkPolicy: { enabled: true, from: [everybody], operatorsFrom: [staff], egress: [{ to: [databases] }] },
    autoscaling: { enabled: true, targetRequestsPerSecond: 200 },
    metrics: { annotations: false, podMonitor: true },
  },
  'one port, no job': {
    ...database,
    operators: { separatePort: false },
    migration: { enabled: false },
    disruptionBudget: { enabled: false },
    settings: { WAYBILL_LOG_LEVEL: 'warn', WAYBILL_DOCUMENTS: 's3://KEY:SECRET@s3.internal/waybill' },
  },
  'chosen nodes': {
    ...stored,
    imagePullSecrets: [{ name: 'registry' }],
    ...ssd,
    resources: { limits: { memory: '3Gi' } },
    topologySpreadConstraints: [],
    service: { type: 'LoadBalancer', port: 8080 },
  },
}
// By a part of what the templates say.
const refused: Record<string, Values> = {
  'name a secret with the address of PostgreSQL': { documents: stored.documents },
  'name a secret with the address of a bucket': database,
  'several replicas need a bucket': { ...database, documents: { volume } },
  'several replicas need .*ReadWriteMany': {
    ...stored,
    replicas: 1,
    documents: { existingSecret: 'waybill-documents', volume },
    autoscaling: { enabled: true },
  },
}

const usualAnnotations = {
  'nginx.ingress.kubernetes.io/proxy-body-size': '110m',
  'nginx.ingress.kubernetes.io/proxy-read-timeout': '120',
}

const isPodMonitor = new Ajv({ strict: false }).compile(podMonitor)
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
    const manifests = parseAllDocuments(render(values))
      .map((each) => each.toJS() as Manifest | null)
      .filter((each) => each !== null)
    for (const manifest of manifests) validate(models, manifest)
    checkEnvironments(manifests)
    console.log(`${name}: ${manifests.map(({ kind }) => kind).join(', ')}`)
    if (name === 'production') checkPolicy(manifests.find(({ kind }) => kind === 'NetworkPolicy'))
    if (name === 'as documented') checkDocumented(manifests)
    if (name === 'chosen nodes') checkNodes(manifests)
  }
  for (const [reason, given] of Object.entries(refused)) {
    const values = merged(usual, given)
    if (isValid(values)) throw new Error(`the schema accepts values that the templates refuse: ${reason}`)
    let output = ''
    try {
      render(values)
    } catch (error) {
      output = String(error)
    }
    // Helm checks the schema first, and reports that.
    if (!new RegExp(`${reason}|values don't meet`).test(output)) throw new Error(`not refused: ${reason}\n${output}`)
    console.log(`refused: ${reason}`)
  }
}

function podsOf(manifests: Manifest[]): Pod[] {
  return manifests.flatMap(({ spec }) => spec?.template?.spec ?? [])
}

/** Kubernetes takes the last of two variables of one name, or refuses them. */
function checkEnvironments(manifests: Manifest[]): void {
  for (const { containers } of podsOf(manifests)) {
    const names = containers[0].env.map(({ name }) => name)
    assert.deepEqual(names, [...new Set(names)])
  }
}

/** Customers and staff have an ingress each, which accept documents; links lead there, and addresses of clients are known. */
function checkDocumented(manifests: Manifest[]): void {
  const ingresses = manifests.filter(({ kind }) => kind === 'Ingress')
  assert.deepEqual(
    ingresses.map(({ metadata: { name, annotations }, spec }) => [name, spec?.ingressClassName, annotations]),
    [
      ['release', 'nginx', usualAnnotations],
      ['release-ops', 'nginx-internal', usualAnnotations],
    ],
  )
  const rule = (host: string, name: string, port: string) => {
    const backend = { service: { name, port: { name: port } } }
    return [{ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }]
  }
  assert.deepEqual(
    ingresses.map(({ spec }) => spec?.rules),
    [rule('api.forwarder.example', 'release', 'http'), rule('office.forwarder.example', 'release-ops', 'ops')],
  )
  for (const { containers } of podsOf(manifests)) {
    const environment = new Map(containers[0].env.map(({ name, value }) => [name, value]))
    assert.equal(environment.get('WAYBILL_PUBLIC_URL'), 'https://api.forwarder.example')
    assert.equal(environment.get('WAYBILL_OFFICE_URL'), 'https://office.forwarder.example')
    assert.equal(environment.get('WAYBILL_TRUSTED_PROXIES'), '10.244.0.0/16')
  }
  const selector = { 'app.kubernetes.io/name': 'waybill', 'app.kubernetes.io/instance': 'release' }
  const spread = podsOf(manifests).flatMap(({ topologySpreadConstraints = [] }) => topologySpreadConstraints)
  const usual = { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' }
  assert.deepEqual(spread, [{ ...usual, labelSelector: { matchLabels: selector } }])
}

/** The job before the service runs where the service does. */
function checkNodes(manifests: Manifest[]): void {
  const pods = podsOf(manifests)
  assert.equal(pods.length, 2)
  for (const { nodeSelector, tolerations, affinity, topologySpreadConstraints, containers } of pods) {
    assert.deepEqual({ nodeSelector, tolerations, affinity }, ssd)
    assert.equal(topologySpreadConstraints, undefined)
    assert.deepEqual((containers[0].resources as Values).limits, { memory: '3Gi' })
  }
}

/** Operators are reached by those who are named for their port, and by nobody else. */
function checkPolicy(policy: Manifest | undefined): void {
  const { spec } = policy ?? {}
  assert.deepEqual(Object.entries(spec ?? {}).slice(1), [
    ['policyTypes', ['Ingress', 'Egress']],
    [
      'ingress',
      [
        { ports: [{ port: 'http' }], from: [everybody] },
        { ports: [{ port: 'ops' }], from: [staff] },
      ],
    ],
    ['egress', [{ to: [databases] }]],
  ])
}

function validate(models: NodeJS.Require, manifest: Manifest): void {
  const { apiVersion, kind } = manifest
  // Of the Prometheus operator, and no part of Kubernetes.
  if (kind === 'PodMonitor') {
    if (!isPodMonitor(manifest)) throw new Error(`PodMonitor: ${JSON.stringify(isPodMonitor.errors)}`)
    return
  }
  const model = models(`kubernetes-models/${apiVersion}/${kind}`) as Record<
    string,
    new (
      data: object,
    ) => { validate(): void }
  >
  const Model = model[kind]
  if (!Model) throw new Error(`no schema of ${apiVersion} ${kind}`)
  new Model(manifest).validate()
}

/** Helm, or the program beside this one. */
function renderer(): (values: Values) => string {
  const file = join(folder, 'values.yaml')
  const renderWith = (command: string, ...args: string[]) => {
    return (values: Values) => {
      writeFileSync(file, stringify(values))
      return run(command, args)
    }
  }
  if (spawnSync('helm', ['version']).status === 0) {
    return renderWith('helm', 'template', 'release', chart, '--values', file)
  }
  if (spawnSync('go', ['version']).status !== 0) {
    console.error('Neither Helm nor Go is installed. On Debian: apt-get install --no-install-recommends \\')
    console.error('  golang-go golang-github-masterminds-sprig-dev golang-github-ghodss-yaml-dev')
    process.exit(1)
  }
  const program = join(folder, 'chart-render')
  const environment = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '' }
  run('go', ['build', '-o', program, resolve('scripts/chart-render.go')], environment)
  return renderWith(program, chart, file)
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
