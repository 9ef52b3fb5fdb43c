import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { simulatedTime } from '../../clock/clock.js'
import { Refusal } from '../../contract/refusals.js'
import { ClockChange, type SandboxMail, ScenarioStart, scenarioNames } from '../../contract/sandbox/world.js'
import { validatorOf } from '../../contract/validation.js'
import { findOperatorByKey } from '../../store/operators.js'
import { bearerOf } from '../authentication/authentication.js'
import { refuseForeignOrigin } from '../portal/session-cookie.js'
import type { Service } from '../service.js'
import { isLocal } from '../transport/loopback.js'
import { escapeHtml, page, plainPageHeaders } from '../transport/page.js'
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
  })
}

function sendMailbox(reply: FastifyReply, mails: SandboxMail[]): FastifyReply {
  const shown = mails.map(
    ({ to, subject, text, at }) =>
      `<article><h2>${escapeHtml(subject)}</h2><p>${escapeHtml(at)} · ${escapeHtml(to)}</p><pre>${escapeHtml(text)}</pre></article>`,
  )
  const body = `<h1>Mailbox</h1><p>Mails of this sandbox since its start, newest first. None of them leaves this machine.</p>${shown.join('') || '<p>No mail was sent yet.</p>'}`
  return reply.headers(plainPageHeaders).type('text/html; charset=utf-8').send(page('Mailbox', body))
}
