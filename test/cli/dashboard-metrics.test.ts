import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { refusalCodes } from '../../src/contract/refusals.js'
import { openReplica } from '../../src/database/replicas.js'
import { line, newAccount } from '../support/account.js'
import { metricsIn, readSamples } from '../support/metrics.js'
import { newPerson } from '../support/person.js'
import { startService } from '../support/service.js'

/** The dashboard and the alerts use only metrics that the service exports. */

type Panel = { title: string; targets?: { expr: string }[] }
const dashboard = JSON.parse(readFileSync('docs/operations/grafana-dashboard.json', 'utf8')) as { panels: Panel[] }
const alerts = readFileSync('docs/operations/alerts.yml', 'utf8')
const handbook = readFileSync('docs/operations.md', 'utf8')

const panels = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const))
const rules = [...alerts.matchAll(/- alert: (\w+)\n\s+expr: (.+)\n/g)].map(([, name = '', expr = '']) => ({
  name,
  expr,
}))

// An unused port.
const replicas = [openReplica('postgres://waybill@127.0.0.1:1/waybill', { connections: 1 })]
const service = await startService({ replicas })

// Labels that Prometheus adds.
const added = ['job', 'instance']

test('every query of the dashboard and the alerts uses exported metrics and labels', async () => {
  const account = await newAccount(service)
  await account.call('createPurchaseOrder', { body: { reference: 'P-1', product_lines: [line()] } })
  await account.call('listPurchaseOrders')
  await (await newPerson(service, account)).portal('getSession')
  // Metrics of senders and feeds have no samples without any.
  const sender = `dashboard-${process.pid}`
  const { db } = service
  await db`
    insert into messages (sender, channel, format, hash, content, outcome) values (${sender}, 'http', 'dcsa', 'h', '', 'applied')`
  await db`
    insert into feeds (feed_id, sender, channel, format, url, interval_seconds, next_attempt_at)
    values (${sender}, ${sender}, 'pull', 'dcsa-2.2', 'https://carrier.example', 300, now() + interval '1 day')`
  const labels = new Map<string, Set<string>>([['up', new Set()]])
  for (const sample of await readSamples(service.baseUrl)) {
    const known = labels.get(sample.name) ?? new Set()
    labels.set(sample.name, new Set([...known, ...Object.keys(sample.labels)]))
  }

  await db`delete from feeds where sender = ${sender}`

  const queries = [...panels.map(([, expr]) => expr), ...rules.map(({ expr }) => expr)]
  expect(queries.length).toBeGreaterThan(50)
  for (const query of queries) {
    const named = metricsIn(query)
    expect(named.length, query).toBeGreaterThan(0)
    for (const { name, labels: requested } of named) {
      expect([...labels.keys()], query).toContain(name)
      expect([...(labels.get(name) ?? []), ...added], query).toEqual(expect.arrayContaining(requested))
    }
  }
})

test('every metric of the service is on the dashboard', async () => {
  const shown = new Set(panels.flatMap(([, expr]) => metricsIn(expr).map(({ name }) => name)))
  const reported = new Set(
    (await readSamples(service.baseUrl)).map(({ name }) => name.replace(/_(?:count|sum)$/, '_bucket')),
  )
  expect([...reported].filter((name) => name.startsWith('waybill_') && !shown.has(name))).toEqual([])
})

test('every error code in an alert exists', () => {
  const named = rules.flatMap(({ expr }) =>
    [...expr.matchAll(/code=~?"([^"]+)"/g)].map(([, codes = '']) => codes.split('|')),
  )
  expect(named.length).toBeGreaterThan(0)
  expect(refusalCodes).toEqual(expect.arrayContaining(named.flat()))
})

test('the handbook describes every alert and what to do', () => {
  expect(rules.length).toBeGreaterThan(10)
  expect(rules.length).toBe(alerts.match(/- alert:/g)?.length)
  for (const { name, expr } of rules) {
    expect(handbook).toContain(`### ${name}\n`)
    expect(handbook).toContain(`\n${expr}\n`)
  }
})
