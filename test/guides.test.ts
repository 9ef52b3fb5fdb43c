import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { runWebhooks } from '../src/usecases/webhooks/run-webhooks.js'
import { generatedAccount } from './support/generated-account.js'
import { newOperator } from './support/operator.js'
import { ownDatabase } from './support/own-database.js'
import { temporaryFolder } from './support/program.js'
import { startService } from './support/service.js'

/** Every block of the guides that can be run, in a folder where the package is installed, and the pages that the service serves. */

const db = await ownDatabase('guides')
const service = await startService({ db, webhooksToPrivateNetworks: true })
const account = await generatedAccount(service, 40, 'guides')
const operator = await newOperator(service, 'admin')
const folder = await temporaryFolder()
mkdirSync(join(folder, 'node_modules'))
symlinkSync(resolve('.'), join(folder, 'node_modules', 'waybill'))

const stop = new AbortController()
const delivering = runWebhooks(db, {
  signal: stop.signal,
  allowsPrivate: true,
  mail: undefined,
  onError: (error) => console.error(error),
})
afterAll(async () => {
  stop.abort()
  await delivering
})

const programs = ['guides', 'operator-guides'].flatMap((guide) => {
  let section = ''
  const blocks = [...readFileSync(`docs/${guide}.md`, 'utf8').matchAll(/^## (.+)$|^```(sh|js)\n([^]*?)^```/gm)]
  return blocks.flatMap(([, title, language = '', text = '']) => {
    if (title !== undefined) section = title
    return title === undefined ? [{ guide, section, language, text }] : []
  })
})

test.each(programs)('$guide, $section: its $language runs', async ({ language, text }) => {
  const path = join(folder, `block-${programs.findIndex((each) => each.text === text)}.mjs`)
  writeFileSync(path, text)
  const command = language === 'sh' ? ['bash', '-euo', 'pipefail', path] : [process.execPath, path]
  const { stdout } = await promisify(execFile)(command[0] as string, command.slice(1), {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      WAYBILL_URL: service.baseUrl,
      WAYBILL_KEY: account.key,
      WAYBILL_OPERATOR_KEY: operator.key,
    },
  })
  for (const [, printed = ''] of text.matchAll(/(?:#|\/\/) prints (.+)$/gm)) expect(stdout).toContain(printed)
})

test.each(['guides', 'operator-guides'])('every subject has a section of %s', (guide) => {
  const sections = new Set(programs.filter((each) => each.guide === guide).map(({ section }) => section))
  const subjects = 'Quick start,Paging,Polling with ETag,The feed,Webhooks,Errors,Limits,Documents,Retries'.split(',')
  for (const subject of subjects) expect(sections, guide).toContain(subject)
  expect(readFileSync(`docs/${guide}.md`, 'utf8')).toContain('\n## Going live\n')
})

test.each(['/docs/guides/', '/ops/docs/guides/'])('every page under %s leads only to pages that exist', async (at) => {
  const waiting = [at]
  const seen = new Map<string, string>()
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (seen.has(path)) continue
    const response = await fetch(`${service.baseUrl}${path}`)
    expect(response.status, path).toBe(200)
    const html = await response.text()
    seen.set(path, html)
    if (!path.startsWith(at) || path.endsWith('.css')) continue
    const policy = response.headers.get('content-security-policy')?.split('; ') ?? []
    expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "style-src 'self'"]))
    expect(html, path).not.toMatch(/<script|<img|javascript:/)
    const links = [...html.matchAll(/ href="([^"]+)"/g)].map(([, link = '']) => new URL(link, service.baseUrl + path))
    for (const link of links.filter(({ origin }) => origin === service.baseUrl)) waiting.push(link.pathname)
  }
  expect(seen.get(`${at}quick-start`)).toContain('<h1 id="quick-start">Quick start</h1>')
  expect(seen.get(`${at}about-webhooks`)).toContain('<h2 id="a-receiver">')
  expect(seen.get(`${at}webhooks`)).not.toContain('<h2 id="a-receiver">')
  expect(seen.get(at)).toContain(`WAYBILL_URL:-${service.baseUrl}}`)
  expect(seen.get(at)).toContain('_KEY:-}')
  expect(seen.size).toBeGreaterThan(20)
  expect((await fetch(`${service.baseUrl}${at}nowhere`)).status).toBe(404)
})

test('the sandbox puts its keys into references and guides, for this machine only', async () => {
  const demoKeys = { customers: 'wb_customers', operators: 'wb_op_operators' }
  const { baseUrl } = await startService({ db, demoAccount: account.slug, demoKeys })
  for (const [at, key] of Object.entries({ '/docs': demoKeys.customers, '/ops/docs': demoKeys.operators })) {
    for (const path of [`${at}/guides/`, `${at}/js/start.js`]) {
      const own = await (await fetch(baseUrl + path)).text()
      expect(own, path).toContain(key)
      const forwarded = await fetch(baseUrl + path, { headers: { 'x-forwarded-for': '203.0.113.7' } })
      expect(await forwarded.text(), path).not.toContain(key)
    }
  }
})
