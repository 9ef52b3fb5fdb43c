import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { escapeHtml } from '../../contract/html.js'
import type { Language } from '../../contract/portal/people.js'
import { Refusal } from '../../contract/refusals.js'
import { findUnsubscription, unsubscribe, unsubscribePath } from '../../usecases/notifications/unsubscribe.js'
import { rateLimitHeaders, sharedRateLimiter } from '../limits/rate-limit.js'
import type { Service } from '../service.js'
import { clientAddress, networkOf } from '../transport/client-address.js'
import { maxAnonymousBodyBytes, readWhole } from '../transport/json-body.js'
import { formPageHeaders, page } from '../transport/page.js'

type Request = { Params: { token: string } }

const texts: Record<Language, { title: string; question: string; button: string; done: string; rest: string }> = {
  en: {
    title: 'Unsubscribe',
    question: 'Do you want to get no more of these e-mails?',
    button: 'Unsubscribe',
    done: 'You will get no more of these e-mails.',
    rest: 'The portal still lists what happened; there you can also subscribe again.',
  },
  fr: {
    title: 'Se désabonner',
    question: 'Ne plus recevoir ces e-mails ?',
    button: 'Se désabonner',
    done: 'Vous ne recevrez plus ces e-mails.',
    rest: 'Le portail continue d’afficher les nouveautés ; vous pouvez vous y réabonner.',
  },
}

const requestsPerMinute = 60

/**
 * The link in mails that ends them. Mail programs send a POST (RFC 8058); people who open it get a page with a button, as programs that
 * check links must not unsubscribe anybody.
 */
export function registerUnsubscribe(app: FastifyInstance, service: Service, bodyTimeout: number): void {
  const { db, forwarderName, trustedProxies, workerChannel } = service
  const requests = sharedRateLimiter(workerChannel, 'unsubscribe')
  const url = `${unsubscribePath}/:token`

  function send(reply: FastifyReply, language: Language, body: string): FastifyReply {
    const { title } = texts[language]
    return reply
      .headers(formPageHeaders)
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'private, no-store')
      .type('text/html; charset=utf-8')
      .send(page(title, `<p class="kicker">${escapeHtml(forwarderName)}</p><h1>${title}</h1>${body}`, language))
  }

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // A form in one of two formats, which says nothing that the address does not.
    scope.addContentTypeParser(
      '*',
      async (_request: unknown, body: Readable) => void (await readWhole(body, bodyTimeout, maxAnonymousBodyBytes)),
    )
    scope.addHook('onRequest', async (request) => {
      const network = networkOf(clientAddress(request.raw, trustedProxies))
      rateLimitHeaders(requests.count(network, requestsPerMinute), 'minute')
    })
    scope.get<Request>(url, { config: { operation: 'showUnsubscribe' } }, async ({ params }, reply) => {
      const found = await findUnsubscription(db, params.token)
      if (!found) throw new Refusal('unsubscribe_link_not_valid')
      const { question, button } = texts[found.language]
      const form = `<form method="post"><p>${escapeHtml(question)}</p><button name="List-Unsubscribe" value="One-Click">${button}</button></form>`
      return send(reply, found.language, form)
    })
    scope.post<Request>(url, { config: { operation: 'unsubscribe' } }, async ({ params }, reply) => {
      const found = await findUnsubscription(db, params.token)
      if (!found || !(await unsubscribe(db, params.token))) throw new Refusal('unsubscribe_link_not_valid')
      const { done, rest } = texts[found.language]
      return send(reply, found.language, `<p>${escapeHtml(done)}</p><p>${escapeHtml(rest)}</p>`)
    })
  })
}
