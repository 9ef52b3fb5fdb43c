import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import type { Service } from '../../../src/api/service.js'
import type { PersonRole } from '../../../src/contract/portal/people.js'
import { commit } from '../../../src/ledger/commit.js'
import type { Mail } from '../../../src/mail/messages.js'
import { findAccount } from '../../../src/store/accounts.js'
import { createPerson } from '../../../src/store/people.js'
import { createAccount } from '../../../src/usecases/accounts/create-account.js'
import { hashPassword } from '../../../src/usecases/people/passwords.js'
import { newPersonId } from '../../../src/usecases/people/person-record.js'
import { startBrowser } from '../../support/browser.js'
import { newOperator, type TestOperator } from '../../support/operator.js'
import { type RunningService, startService } from '../../support/service.js'
import { copyOfDemo, demoAccount } from './demo-database.js'
import { settled } from './settled.js'

/**
 * Shared setup of the portal's tests: the real service with the sandbox's data in a database of the file, the built portal
 * (`npm run build`), and a real browser.
 *
 *   const portal = await startPortal()                    once a file, at its top
 *   const page = await portal.signedIn('/shipments')      the demo account's admin, on a laptop
 *   const page = await portal.signedIn('/', { size: phone, person: await portal.newPerson('viewer') })
 *   await expectAccessible(page)
 *
 * After each test, no page may have sent a request to another host, thrown, or logged an error. Browsers log failed requests
 * as errors: tests that provoke them declare it (`portal.expectFailures`).
 */

// Ends what hangs.
const actionTimeout = 60_000

export const laptop = { width: 1440, height: 900 }
export const tablet = { width: 1024, height: 768 }
export const phone = { width: 390, height: 844 }

type Size = typeof laptop
type PageOptions = {
  size?: Size
  /** As the browser does: fewer and larger pixels. */
  zoom?: number
  theme?: 'light' | 'dark'
  locale?: string
  /** Whether maps are drawn: software takes two seconds for one, more than for the rest of the page. */
  drawsMaps?: boolean
}

export type TestPerson = { email: string; password: string; name: string; person_id: string; account: TestedAccount }
type TestedAccount = { slug: string; id: number; name: string }

export type TestPortal = {
  service: RunningService
  databaseUrl: string
  /** The account with the sandbox's data, and its first admin, whom one click signs in. */
  demo: TestedAccount
  admin: TestPerson
  /** The forwarder: `forwarder.ops('updateShipment', demo.slug, ...)`. */
  forwarder: TestOperator
  /** Sent e-mails, newest last. */
  mails: Mail[]
  /** Every address that any page requested. */
  requested: string[]
  /** Requests to paths with these prefixes may fail in this test. */
  expectFailures(...paths: string[]): void
  /** Declares that a session ends while its page is open: whatever that page reads is refused with 401. */
  expectSessionEnd(): void
  /** A new browser context without a session. Addresses may be paths. */
  newPage(options?: PageOptions): Promise<Page>
  /** The same with a session, and the page open. */
  signedIn(path: string, options?: PageOptions & { person?: TestPerson }): Promise<Page>
  newAccount(name?: string): Promise<TestedAccount>
  /** A new user of the demo account, or of another. */
  newPerson(role: PersonRole, options?: { account?: TestedAccount; name?: string }): Promise<TestPerson>
}

export async function startPortal(options: Partial<Service> = {}): Promise<TestPortal> {
  const { db, url, files } = await copyOfDemo()
  const service = await startService({ demoAccount: demoAccount.slug, requestLogDays: 7, db, files, ...options })
  const demo = { ...demoAccount, id: (await findAccount(db, demoAccount.slug)) as number }
  const admin = await newPerson(service, demo, 'admin', 'Ada Alder')
  const browser = await startBrowser()
  const provider = options.portal?.provider?.issuer
  const { newPage, requested, expectFailures, expectSessionEnd } = watchedPages(browser, service.baseUrl, provider)
  return {
    service,
    databaseUrl: url,
    demo,
    admin,
    forwarder: await newOperator(service),
    mails: service.mails,
    requested,
    expectFailures,
    expectSessionEnd,
    newPage,
    async signedIn(path, { person = admin, ...pageOptions } = {}) {
      const page = await newPage(pageOptions)
      await signIn(page, person)
      await page.goto(path)
      await settled(page)
      return page
    },
    newAccount: (name = 'Brix Trading') => newAccount(service, name),
    newPerson: (role, { account = demo, name = `Test ${role}` } = {}) => newPerson(service, account, role, name),
  }
}

/** Signs in without the form: as the given user, or as the one of the demo button. */
export async function signIn(page: Page, person?: TestPerson): Promise<void> {
  const { request } = page.context()
  const response = person
    ? await request.post('/portal/v1/session', { data: { email: person.email, password: person.password } })
    : await request.post('/portal/v1/session/demo')
  expect(response.status(), await response.text()).toBe(201)
}

/** A passkey authenticator of the browser, which verifies its user without asking. */
export async function addVirtualAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

// As in a browser without WebGL: the page lists the places instead.
const withoutWebGl = `(() => {
  const getContext = HTMLCanvasElement.prototype.getContext
  HTMLCanvasElement.prototype.getContext = function (type, ...options) {
    return type.startsWith('webgl') ? null : getContext.call(this, type, ...options)
  }
})()`

// Half as long as the readable one, which takes a page longer to parse than most of its rules take.
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const colourRules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/**
 * Expects no violation of the rules of axe, or only of those about colours. Content behind a dialog is not checked, since it
 * cannot be reached.
 */
export async function expectAccessible(page: Page, about: 'everything' | 'colours' = 'everything'): Promise<void> {
  await page.evaluate(axe)
  const options = { resultTypes: ['violations'], ...(about === 'colours' && { runOnly: colourRules }) }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    at: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`),
  }))
  expect(found, page.url()).toEqual([])
}

/** Expects no horizontal overflow. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, window] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )
  expect(content, `${page.url()} is wider than its window`).toBeLessThanOrEqual(window)
}

/** The dates of tables that are wider than their cell. */
export function cutDates(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll(':is(td, th) time')].flatMap((time) => {
    const cell = time.closest('td, th').getBoundingClientRect()
    return time.getBoundingClientRect().right > cell.right + 1 ? [time.innerText] : []
  })`)
}

/** Uses a page whose session was ended elsewhere. The page may have noticed by itself, and asks for the password already. */
export async function expectSignedOut(page: Page): Promise<void> {
  const form = page.getByRole('heading', { level: 1, name: 'Sign in' })
  await page.getByRole('link', { name: 'Team' }).or(form).click()
  await form.waitFor()
}

function watchedPages(browser: Browser, baseUrl: string, provider?: string) {
  const requested: string[] = []
  const opened: BrowserContext[] = []
  const faults: string[] = []
  const failures: { path: string; text: string }[] = []
  const expected: string[] = []
  let endsSession = false

  afterEach(async ({ task }) => {
    const hasFailed = task.result?.state === 'fail'
    const seen = hasFailed ? await whatPagesShow(opened) : []
    for (const context of opened.splice(0)) await context.close()
    const paths = expected.splice(0)
    const isOfEndedSession = (text: string) => endsSession && text.includes('status of 401')
    // All of them are reported, to help find the cause of a failure.
    const isUnexpected = ({ path, text }: { path: string; text: string }) =>
      hasFailed || !(isOfEndedSession(text) || paths.some((each) => path.startsWith(each)))
    const unexpected = [...faults.splice(0), ...failures.splice(0).filter(isUnexpected), ...seen]
    endsSession = false
    expect(unexpected).toEqual([])
  })

  // Passkeys work for names only.
  const own = [baseUrl, baseUrl.replace('127.0.0.1', 'localhost'), ...(provider === undefined ? [] : [provider])]

  function watch(context: BrowserContext): void {
    context.on('request', (request) => {
      const url = request.url()
      requested.push(url)
      if (!own.some((site) => url.startsWith(`${site}/`)) && !/^(?:data|blob):/.test(url))
        faults.push(`asked a foreign host: ${url}`)
    })
    context.on('weberror', (error) => faults.push(`threw: ${error.error().stack ?? error.error().message}`))
    context.on('console', (message) => {
      if (message.type() !== 'error') return
      const text = message.text()
      if (text.startsWith('Failed to load resource')) failures.push({ path: pathOf(message.location().url), text })
      else faults.push(`console: ${text}`)
    })
  }

  async function newPage({
    size = laptop,
    zoom = 1,
    theme = 'light',
    locale = 'en-GB',
    drawsMaps = false,
  }: PageOptions = {}): Promise<Page> {
    const context = await browser.newContext({
      baseURL: baseUrl,
      viewport: { width: size.width / zoom, height: size.height / zoom },
      deviceScaleFactor: zoom,
      hasTouch: size.width < 600,
      colorScheme: theme,
      locale,
      reducedMotion: 'reduce',
      timezoneId: 'Europe/Paris',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    opened.push(context)
    watch(context)
    if (!drawsMaps) await context.addInitScript(withoutWebGl)
    // Of requests, too.
    context.setDefaultTimeout(actionTimeout)
    return context.newPage()
  }

  return {
    newPage,
    requested,
    expectFailures: (...paths: string[]) => void expected.push(...paths),
    expectSessionEnd: () => void (endsSession = true),
  }
}

async function whatPagesShow(contexts: BrowserContext[]): Promise<{ address: string; text: string }[]> {
  const pages = contexts.flatMap((context) => context.pages())
  return Promise.all(
    pages.map(async (page) => {
      const text = await page.locator('body').innerText()
      return { address: page.url(), text: text.replaceAll(/\s+/g, ' ').slice(0, 1000) }
    }),
  )
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url
}

async function newAccount(service: RunningService, name: string): Promise<TestedAccount> {
  const slug = `test-${randomBytes(6).toString('hex')}`
  const id = await createAccount(service.db, slug, name)
  if (id === undefined) throw new Error(`the account ${slug} exists already`)
  return { slug, id, name }
}

async function newPerson(
  { db }: RunningService,
  account: TestedAccount,
  role: PersonRole,
  name: string,
): Promise<TestPerson> {
  const password = randomBytes(9).toString('base64url')
  const email = `${role}-${randomBytes(4).toString('hex')}@example.com`
  const person = { person_id: newPersonId(), email, name, role, password_hash: await hashPassword(password) }
  await commit(db, account.id, 'test', (tx) => createPerson(tx, account.id, person))
  return { email, password, name, person_id: person.person_id, account }
}
