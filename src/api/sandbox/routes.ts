import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { simulatedTime } from '../../clock/clock.js'
import { escapeHtml } from '../../contract/html.js'
import { Refusal } from '../../contract/refusals.js'
import { ClockChange, type SandboxMail, ScenarioStart, scenarioNames } from '../../contract/sandbox/world.js'
import { validatorOf } from '../../contract/validation.js'
import { findOperatorByKey } from '../../store/operators.js'
import { bearerOf } from '../authentication/authentication.js'
import { refuseForeignOrigin } from '../portal/session-cookie.js'
import type { Service } from '../service.js'
import { isLocal } from '../transport/loopback.js'
import { framingPageHeaders, page } from '../transport/page.js'
import { pageHeaders } from '../transport/security-headers.js'
import type { World } from './world.js'

const changes = validatorOf(ClockChange)
const starts = validatorOf(ScenarioStart)

/** `/sandbox/v1`: only in the sandbox, for requests from this machine or with the key of an operator. */
export function registerSandbox(app: FastifyInstance, { db, demoAccount, publicUrl }: Service, world: World): void {
  // Pages show this time. It is absent as long as the sandbox has real time.
  app.addHook('onSend', async (_request, reply) => {
    if (simulatedTime() === undefined) return
    const { now, speed } = world.readClock()
    reply.header('x-simulated-time', `${now} ${speed}`)
  })
  void app.register(async (scope) => {
    scope.addHook('onRequest', async ({ raw, method }: FastifyRequest) => {
      const { authorization } = raw.headers
      if (authorization === undefined) {
        if (demoAccount === undefined || !isLocal(raw)) throw new Refusal('missing_key')
        // Without a key, a page of another origin could make a browser on this machine send it.
        if (method !== 'GET' && method !== 'HEAD') refuseForeignOrigin(raw, publicUrl)
        return
      }
      const key = bearerOf(authorization)
      if (key === undefined || !(await findOperatorByKey(db, key))) throw new Refusal('invalid_key')
    })
    scope.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'private, no-store'))
    scope.get('/sandbox/v1/clock', { config: { operation: 'getSandboxClock' } }, async () => world.readClock())
    scope.post('/sandbox/v1/clock', { config: { operation: 'moveSandboxClock' } }, async ({ body }) =>
      world.moveClock(changes.check(body)),
    )
    scope.get('/sandbox/v1/scenarios', { config: { operation: 'listScenarios' } }, async () => ({
      names: scenarioNames,
      started: world.listScenarios(),
    }))
    scope.post('/sandbox/v1/scenarios', { config: { operation: 'startScenario' } }, async ({ body }, reply) =>
      reply.status(201).send(await world.startScenario(starts.check(body).name)),
    )
    scope.get('/sandbox/v1/mails', { config: { operation: 'listSandboxMails' } }, async () => ({
      mails: world.listMails(),
    }))
    scope.get('/sandbox/mailbox', { config: { operation: 'showMailbox' } }, async (_request, reply) =>
      sendMailbox(reply, world.listMails()),
    )
    scope.get<{ Params: { mail: string } }>(
      '/sandbox/mailbox/:mail',
      { config: { operation: 'showMail' } },
      async ({ params }, reply) =>
        sendMailPage(
          reply,
          world.listMails().find(({ mail_id }) => String(mail_id) === params.mail),
        ),
    )
  })
}

function sendMailbox(reply: FastifyReply, mails: SandboxMail[]): FastifyReply {
  const shown = mails.map(({ mail_id, to, subject, text, at }) => {
    const title = escapeHtml(subject)
    const head = `<summary><strong>${title}</strong><br><span class="kicker">${escapeHtml(to)} &middot; ${escapeHtml(at.slice(0, 16).replace('T', ' '))} UTC</span></summary>`
    // Without scripts; links open in a tab of their own.
    const frame = `<iframe title="${title}" src="/sandbox/mailbox/${mail_id}" loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`
    return `<details class="mail">${head}${frame}<details><summary>Plain text</summary><pre>${escapeHtml(text)}</pre></details></details>`
  })
  const body = `<h1>Mailbox</h1><p>Mails of this sandbox since its start, newest first. None of them leaves this machine.</p>${shown.join('') || '<p>No mail was sent yet.</p>'}`
  return reply.headers(framingPageHeaders).type('text/html; charset=utf-8').send(page('Mailbox', body))
}

// Mails have their own styles and the forwarder's logo, and run nothing.
const mailHeaders = {
  ...pageHeaders({ 'style-src': "'unsafe-inline'", 'img-src': 'data:', 'frame-ancestors': "'self'" }),
  'x-frame-options': 'SAMEORIGIN',
}

function sendMailPage(reply: FastifyReply, mail: SandboxMail | undefined): FastifyReply {
  if (!mail) throw new Refusal('path_not_found')
  const html = mail.html.replace('<head>', '<head><base target="_blank">')
  return reply.headers(mailHeaders).type('text/html; charset=utf-8').send(html)
}
