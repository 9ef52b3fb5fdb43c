import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

/** The files by which Waybill is deployed: they agree with the repository, its settings and each other. */

const text = (path: string) => readFileSync(path, 'utf8')
const settings = new Set(
  text('docs/configuration.md').match(/\b(?:WAYBILL_[A-Z_]+|DATABASE_(?:READ_)?URLS?|PORT|HOST)\b/g),
)
const { version } = JSON.parse(text('package.json')) as { version: string }

type Service = { build?: string; image: string; environment?: Record<string, string>; volumes?: string[] }
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
  expect(parse(text(`${chart}/Chart.yaml`))).toMatchObject({ version, appVersion: version })
})

test('the files of compose.yaml exist, and its volumes are declared', () => {
  expect(Object.keys(compose.services)).toEqual(['waybill', 'postgres', 'bucket', 'mail', 'prometheus', 'grafana'])
  for (const volume of Object.values(compose.services).flatMap(({ volumes = [] }) => volumes)) {
    const [source = ''] = volume.split(':')
    expect(source.startsWith('./') ? existsSync(source) : source in compose.volumes, volume).toBe(true)
  }
  expect(compose.services.waybill).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
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

test('the values of the chart have a schema that refuses misspelled and missing ones', () => {
  const valid = new Ajv({ strict: false }).compile(JSON.parse(text(`${chart}/values.schema.json`)) as object)
  const given = { ...values, database: { existingSecret: 'waybill-database', key: 'DATABASE_URL' } }
  expect(valid(given), JSON.stringify(valid.errors)).toBe(true)
  expect(valid(values)).toBe(false)
  expect(valid({ ...given, replica: 3 })).toBe(false)
  expect(valid({ ...given, ingress: { enabled: true } })).toBe(false)
  expect(valid({ ...given, settings: { WAYBIL_OPS: 'off' } })).toBe(false)
  expect(valid({ ...given, settings: { WAYBILL_OPS: 'off' } })).toBe(true)
})

test.each(templates)('%s uses values and templates that exist, and closes what it opens', (template) => {
  const source = text(template)
  for (const [, path = ''] of source.matchAll(/\.Values\.([\w.]+)/g)) expect(values).toHaveProperty(path)
  const helpers = text(`${chart}/templates/_helpers.tpl`)
  for (const [, name] of source.matchAll(/include "([^"]+)"/g)) expect(helpers).toContain(`define "${name}"`)
  const opened = source.match(/\{\{-? *(?:if|with|range|define)\b/g)?.length ?? 0
  expect(source.match(/\{\{-? *end\b/g)?.length ?? 0).toBe(opened)
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
