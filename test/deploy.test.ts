import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { documentedValues } from '../scripts/documented-values.js'
import { previousRevision, recorded } from '../scripts/previous-version.js'
import { patroniSettings } from '../soak/failover/configuration.js'

/** The files by which Waybill is deployed: they agree with the repository, its settings and each other. */

const text = (path: string) => readFileSync(path, 'utf8')
const settings = new Set(text('docs/configuration.md').match(/\b(?:WAYBILL_[A-Z_]+|DATABASE_[A-Z_]+|PORT|HOST)\b/g))
const { version } = JSON.parse(text('package.json')) as { version: string }

type Service = {
  build?: string
  image: string
  environment?: Record<string, string>
  volumes?: string[]
  healthcheck?: { test: string[] }
  depends_on?: Record<string, { condition: string }>
}
const compose = parse(text('compose.yaml'), { merge: true }) as {
  services: Record<string, Service>
  volumes: Record<string, null>
}
const chart = 'deploy/chart'
const values = parse(text(`${chart}/values.yaml`)) as Record<string, unknown>
const templates = readdirSync(`${chart}/templates`).map((name) => join(chart, 'templates', name))

test('the image copies files that exist and that reach the build', () => {
  const allowed = text('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => new RegExp(`^${line.slice(1).replaceAll('.', '\\.').replaceAll('*', '.*')}(?:/|$)`))
  const copied = [...text('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' '),
  )
  expect(copied).toContain('package.json')
  for (const path of copied.filter((each) => each !== '.')) {
    expect(existsSync(path), path).toBe(true)
    expect(
      allowed.some((pattern) => pattern.test(path)),
      path,
    ).toBe(true)
  }
  // What `npm run build` reads.
  for (const path of [
    'src',
    'web',
    'docs/guides.md',
    'scripts/build.mjs',
    'vite.config.ts',
    'tsconfig.json',
    'tsconfig.portal.json',
  ]) {
    expect(
      allowed.some((pattern) => pattern.test(path)),
      path,
    ).toBe(true)
  }
})

test('the image runs without root, a shell or a package manager, and its version is that of the package', () => {
  const dockerfile = text('Dockerfile')
  expect(dockerfile).toMatch(/^USER 10001:10001$/m)
  expect(dockerfile).toMatch(/^ENTRYPOINT \["node", "bin\/waybill\.cjs"\]$/m)
  expect(dockerfile).toMatch(/^HEALTHCHECK /m)
  expect(dockerfile).toContain(`ARG VERSION=${version}\n`)
  // What only the builder knows is given, and is not part of cached layers.
  const labels = [...dockerfile.matchAll(/org\.opencontainers\.image\.(\w+)="\$\{(\w+)\}"/g)]
  expect(labels.map(([, label, argument]) => [label, argument])).toEqual(
    ['version', 'revision', 'created', 'source', 'url'].map((label) => [label, label.toUpperCase()]),
  )
  for (const [, , argument = ''] of labels) expect(dockerfile).toMatch(new RegExp(`^ARG ${argument}=`, 'm'))
  expect(dockerfile.indexOf('ARG REVISION')).toBeGreaterThan(dockerfile.indexOf('COPY --from=build /waybill/dist'))
  expect(parse(text(`${chart}/Chart.yaml`))).toMatchObject({ version, appVersion: version })
})

test('the files of compose.yaml exist, and its volumes are declared', () => {
  expect(Object.keys(compose.services)).toEqual(['waybill', 'postgres', 'bucket', 'mail', 'prometheus', 'grafana'])
  for (const volume of Object.values(compose.services).flatMap(({ volumes = [] }) => volumes)) {
    const [source = ''] = volume.split(':')
    expect(source.startsWith('./') ? existsSync(source) : source in compose.volumes, volume).toBe(true)
  }
  // A version that is named does not change by itself.
  for (const { image, build } of Object.values(compose.services))
    if (!build) expect(image).toMatch(/:[\w.${}:-]*\d\}?$/)
  expect(compose.services.waybill).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
})

test('Waybill starts in compose when the database and the bucket are healthy, which they can say', () => {
  const { waybill, bucket: gateway } = compose.services
  expect(waybill?.depends_on).toEqual({
    postgres: { condition: 'service_healthy' },
    bucket: { condition: 'service_healthy' },
  })
  for (const name of Object.keys(waybill?.depends_on ?? {}))
    expect(compose.services[name]).toHaveProperty('healthcheck')
  expect(gateway?.healthcheck?.test.at(-1)).toBe(`http://127.0.0.1:7070${gateway?.environment?.VGW_HEALTH}`)
  // Compose needs the variables for every command, not only the first one.
  const required = [...text('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name)
  const kept = /cat >\.env\) <<PASSWORDS\n([^]*?)PASSWORDS\n/.exec(text('docs/deploy.md'))?.[1] ?? ''
  expect(kept.match(/^\w+(?==)/gm)).toEqual([...new Set(required)])
  // And the guide ends with somebody who can sign in.
  const commands = text('docs/deploy.md').match(/^docker compose exec waybill node bin\/waybill\.cjs .+$/gm) ?? []
  expect(commands.map((command) => command.split(' ').slice(6, 8).join(' '))).toEqual([
    'account create',
    'operator add',
  ])
})

test('Prometheus and Grafana are configured with our alerts and dashboard', () => {
  expect(parse(text('deploy/prometheus.yml'))).toMatchObject({
    rule_files: ['alerts.yml'],
    scrape_configs: [{ static_configs: [{ targets: ['waybill:4010'] }] }],
  })
  expect(parse(text('docs/operations/alerts.yml'))).toHaveProperty('groups')
  expect(parse(text('deploy/grafana/datasource.yml'))).toHaveProperty('datasources.0.url', 'http://prometheus:9090')
  const { providers } = parse(text('deploy/grafana/dashboards.yml')) as { providers: { options: { path: string } }[] }
  const mounts = compose.services.grafana?.volumes ?? []
  expect(mounts.some((mount) => mount.includes(`:${providers[0]?.options.path}/`))).toBe(true)
  expect(JSON.parse(text('docs/operations/grafana-dashboard.json'))).toHaveProperty('title', 'Waybill')
})

test('every setting that the files of a deployment set is one of docs/configuration.md', () => {
  const files = ['Dockerfile', 'compose.yaml', 'deploy/waybill.service', 'docs/deploy.md', ...templates]
  const named = files.flatMap((file) => text(file).match(/\b(?:WAYBILL|DATABASE)_[A-Z_]+\b/g) ?? [])
  expect(named).toContain('DATABASE_URL')
  for (const name of named) expect(settings, name).toContain(name)
})

const valid = new Ajv({ strict: false }).compile(JSON.parse(text(`${chart}/values.schema.json`)) as object)
const bucket = { existingSecret: 'waybill-documents' }
const given: Record<string, unknown> = {
  ...values,
  database: { existingSecret: 'waybill-database', key: 'DATABASE_URL' },
  documents: bucket,
}

test('the values of the chart have a schema that refuses misspelled and missing ones', () => {
  expect(valid(given), JSON.stringify(valid.errors)).toBe(true)
  expect(valid(values)).toBe(false)
  expect(valid({ ...given, database: { existingSecret: '' } })).toBe(false)
  expect(valid({ ...given, replica: 3 })).toBe(false)
  expect(valid({ ...given, ingress: { enabled: true } })).toBe(false)
  const autoscaling = { enabled: true, minReplicas: 2, maxReplicas: 6, targetCpuUtilization: 0 }
  expect(valid({ ...given, autoscaling: { ...autoscaling, targetRequestsPerSecond: 200 } })).toBe(true)
  // It would scale by nothing.
  expect(valid({ ...given, autoscaling: { ...autoscaling, targetRequestsPerSecond: 0 } })).toBe(false)
  expect(valid({ ...given, settings: { WAYBIL_OPS: 'off' } })).toBe(false)
  expect(valid({ ...given, settings: { WAYBILL_OPS: 'off' } })).toBe(true)
})

test('the guide installs the chart with values that it accepts, and ends with a key and somebody who can sign in to the office', () => {
  const installed = { ...given, ...documentedValues() }
  expect(valid(installed), JSON.stringify(valid.errors)).toBe(true)
  expect(installed).toMatchObject({ ingress: { enabled: true }, operators: { ingress: { enabled: true } } })
  const commands = text('docs/deploy.md').matchAll(
    /^kubectl exec deployment\/waybill -- node bin\/waybill\.cjs (\w+ \w+)/gm,
  )
  expect([...commands].map(([, command]) => command)).toEqual(['account create', 'key create', 'operator add'])
})

test('the chart is refused where all clients would share the address of an ingress, or staff could not pass it', () => {
  const ingress = { enabled: true, host: 'api.forwarder.example' }
  const operators = { separatePort: true, ingress: { enabled: true, host: 'office.forwarder.example' } }
  const trustedProxies = '10.244.0.0/16'
  const peer = { ipBlock: { cidr: '10.0.0.0/16' } }
  const cases: [accepted: boolean, changed: Record<string, unknown>][] = [
    [true, { ingress, operators, trustedProxies }],
    [false, { ingress }],
    [false, { operators }],
    [false, { operators: { ...operators, ingress: { enabled: true } }, trustedProxies }],
    [false, { operators: { ...operators, separatePort: false }, trustedProxies }],
    [false, { operators, trustedProxies, networkPolicy: { enabled: true, from: [peer], operatorsFrom: [] } }],
    [true, { operators, trustedProxies, networkPolicy: { enabled: true, from: [], operatorsFrom: [peer] } }],
    [true, { operators: { separatePort: true, url: 'http://localhost:4011' } }],
    [false, { operators: { separatePort: true, url: 'localhost:4011' } }],
  ]
  for (const [accepted, changed] of cases) {
    expect(valid({ ...given, ...changed }), JSON.stringify(changed)).toBe(accepted)
  }
})

test('a setting that the chart sets itself is refused among the others: its variable would be there twice', () => {
  const named = [...text(`${chart}/templates/_helpers.tpl`).matchAll(/^- name: ([A-Z]\w+)$/gm)].map(
    ([, name = '']) => name,
  )
  expect(named).toEqual(
    expect.arrayContaining(['WAYBILL_WAIT_FOR_DATABASE', 'WAYBILL_PUBLIC_URL', 'WAYBILL_OFFICE_URL']),
  )
  // Documents are in a bucket of the secret.
  for (const name of named) expect(valid({ ...given, settings: { [name]: 's3://bucket' } }), name).toBe(false)
})

test('the chart is refused where documents would be lost with a process, or a volume is not reached by all of them', () => {
  const shared = { enabled: true, accessMode: 'ReadWriteMany' }
  const exclusive = { enabled: true, accessMode: 'ReadWriteOnce' }
  const one = { replicas: 1, autoscaling: { enabled: false, targetCpuUtilization: 70 } }
  const scaled = { replicas: 1, autoscaling: { enabled: true, targetCpuUtilization: 70 } }
  const cases: [accepted: boolean, changed: Record<string, unknown>][] = [
    [false, { documents: values.documents }],
    [false, { ...one, documents: values.documents }],
    [true, { documents: values.documents, settings: { WAYBILL_DOCUMENTS: 's3://KEY:SECRET@s3.internal/waybill' } }],
    // A folder of the container.
    [false, { documents: values.documents, settings: { WAYBILL_DOCUMENTS: 'file:///var/lib/waybill/documents' } }],
    [true, { ...one, documents: { existingSecret: '', volume: exclusive } }],
    [false, { replicas: 2, documents: { existingSecret: '', volume: exclusive } }],
    [false, { replicas: 2, documents: { ...bucket, volume: { enabled: true } } }],
    [false, { ...scaled, documents: { existingSecret: '', volume: exclusive } }],
    [true, { ...scaled, replicas: 2, documents: { existingSecret: '', volume: shared } }],
    [false, { documents: { volume: { enabled: true, accessMode: 'ReadOnlyMany' } } }],
  ]
  for (const [accepted, changed] of cases) {
    expect(valid({ ...given, ...changed }), JSON.stringify(changed)).toBe(accepted)
  }
  // The same by the templates, for those who skip the schema: `npm run chart` renders them.
  expect(text(`${chart}/templates/deployment.yaml`)).toMatch(/^\{\{- include "waybill\.checkDocuments" \. \}\}/)
})

test('the public port and that of operators have peers of their own in the network policy', () => {
  const peer = { ipBlock: { cidr: '10.0.0.0/16' } }
  const policy = {
    enabled: true,
    from: [peer],
    operatorsFrom: [peer],
    egress: [{ to: [peer], ports: [{ port: 5432 }] }],
  }
  expect(valid({ ...given, networkPolicy: policy }), JSON.stringify(valid.errors)).toBe(true)
  const refused = [
    { ...policy, from: [{ cidr: '10.0.0.0/16' }] },
    { ...policy, operatorsFrom: [{}] },
    { egress: [peer] },
  ]
  for (const networkPolicy of refused) {
    expect(valid({ ...given, networkPolicy }), JSON.stringify(networkPolicy)).toBe(false)
  }
  const documented = parse(/```yaml\n(networkPolicy:\n[^]*?)```/.exec(text('docs/deploy.md'))?.[1] ?? '') as object
  expect(valid({ ...given, ...documented }), JSON.stringify(valid.errors)).toBe(true)
  expect(documented).toHaveProperty('networkPolicy.egress.2')
  // Who is named for the port of operators would not be the only one to reach them.
  expect(valid({ ...given, operators: { separatePort: false }, networkPolicy: policy })).toBe(false)
})

test('processes are added by a metric that Prometheus has, under the name that the chart asks for', () => {
  const rule = parse(/```yaml\n(rules:\n[^]*?)```/.exec(text('docs/deploy.md'))?.[1] ?? '') as {
    rules: [{ seriesQuery: string; name: { as: string } }]
  }
  const [{ seriesQuery, name }] = rule.rules
  expect(text(`${chart}/templates/availability.yaml`)).toContain(`name: ${name.as}\n`)
  expect(text('src/api/observability/request-metrics.ts')).toContain(`name: '${seriesQuery.split('{')[0]}'`)
})

test.each(templates)('%s uses values and templates that exist, and closes what it opens', (template) => {
  const source = text(template)
  for (const [, path = ''] of source.matchAll(/\.Values\.([\w.]+)/g)) expect(values).toHaveProperty(path)
  const helpers = text(`${chart}/templates/_helpers.tpl`)
  for (const [, name] of source.matchAll(/include "([^"]+)"/g)) expect(helpers).toContain(`define "${name}"`)
  const opened = source.match(/\{\{-? *(?:if|with|range|define)\b/g)?.length ?? 0
  expect(source.match(/\{\{-? *end\b/g)?.length ?? 0).toBe(opened)
})

test('upgrades begin with a recorded version, or another one that is in the clone, and include all migrations since', () => {
  const migrationsOf = (names: string[]) => names.filter((name) => /^\d{4}-/.test(name)).toSorted()
  const migrations = migrationsOf(readdirSync('src/database/migrations'))
  expect(recorded.commit).toMatch(/^[0-9a-f]{40}$/)
  expect(migrations.slice(0, -1)).toContain(recorded.newestMigration)
  const git = (...args: string[]) => spawnSync('git', args, { encoding: 'utf8' })
  // A clone without history lacks the commit.
  const { status, stdout } = git('ls-tree', '--name-only', `${recorded.commit}:src/database/migrations`)
  if (status === 0) {
    expect(recorded.commit.startsWith(previousRevision())).toBe(true)
    expect(migrationsOf(stdout.split('\n')).at(-1)).toBe(recorded.newestMigration)
  } else {
    expect(() => previousRevision()).toThrow('git fetch --unshallow')
  }
  expect(previousRevision('HEAD')).toBe(git('rev-parse', '--short', 'HEAD').stdout.trim())
  expect(() => previousRevision('no-such-commit')).toThrow(/no-such-commit, which is not in this clone.*--from/)
})

test('the settings of Patroni in the guide are those that `npm run soak -- --only failover` measures', () => {
  const yaml = /```yaml\n( *bootstrap:\n[^]*?)```/.exec(text('docs/deploy.md'))?.[1] ?? ''
  const place = { name: 'node1', address: '127.0.0.1', folder: '/tmp', ports: { postgres: 5432, patroni: 8008 } }
  const measured = parse(patroniSettings(place, [], { programs: '/usr/bin', user: 'waybill' })) as object
  const documented = parse(yaml) as { bootstrap: { dcs: Record<string, unknown> } }
  // Its times are shorter, so that a run is.
  const { ttl, loop_wait, retry_timeout, ...dcs } = documented.bootstrap.dcs
  expect([ttl, loop_wait, retry_timeout]).toEqual([30, 10, 10])
  expect(dcs).toHaveProperty('postgresql.parameters.wal_retrieve_retry_interval')
  expect(measured).toMatchObject({ bootstrap: { dcs } })
})

test('the guide to one machine waits until the service is ready, whose unit does not', () => {
  const guide = text('docs/deploy.md').split('\n## ')[1] ?? ''
  expect(text('deploy/waybill.service')).toContain('Type=exec')
  const started = guide.indexOf('systemctl enable --now waybill')
  expect(started).toBeGreaterThan(0)
  expect(guide.slice(started)).toMatch(/^curl --fail --retry \d+ .*--retry-connrefused .*\/health\/ready$/m)
})

test('the systemd unit confines the service', () => {
  const unit = new Map(
    text('deploy/waybill.service')
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]),
  )
  expect(unit.get('ExecStart')).toBe('/usr/bin/node node_modules/waybill/bin/waybill.cjs serve')
  expect(Object.fromEntries(unit)).toMatchObject({
    User: 'waybill',
    ProtectSystem: 'strict',
    NoNewPrivileges: 'yes',
    CapabilityBoundingSet: '',
    StateDirectory: 'waybill',
  })
})
