import type { FastifyInstance } from 'fastify'
import { escapeHtml } from '../../contract/html.js'
import { problemPath } from '../../contract/problem.js'
import { Refusal, type RefusalCode, refusalCodes, refusals } from '../../contract/refusals.js'
import { code, page, plainPageHeaders } from '../transport/page.js'

/** The pages behind the `type` of a problem body, and the list of them. */
export function registerErrorPages(app: FastifyInstance): void {
  app.get(problemPath(''), async (_request, reply) =>
    reply.headers(plainPageHeaders).type('text/html; charset=utf-8').send(listPage()),
  )
  app.get<{ Params: { code: string } }>(problemPath(':code'), async (request, reply) => {
    const found = refusalCodes.find((known) => known === request.params.code)
    if (!found) throw new Refusal('path_not_found')
    return reply.headers(plainPageHeaders).type('text/html; charset=utf-8').send(codePage(found))
  })
}

function codePage(name: RefusalCode): string {
  const { status, title, explanation, remedy } = refusals[name]
  return page(
    title,
    `<p class="kicker">${status} &middot; <code>${name}</code></p>
<h1>${escapeHtml(title)}</h1>
<h2>What it means</h2><p>${code(explanation)}</p>
<h2>What to do</h2><p>${code(remedy)}</p>
<p><a href="${problemPath('')}">All error codes</a> &middot; <a href="/docs">API reference</a></p>`,
  )
}

function listPage(): string {
  const rows = refusalCodes
    .map(
      (name) =>
        `<tr><td>${refusals[name].status}</td><td><a href="${problemPath(name)}"><code>${name}</code></a></td><td>${escapeHtml(refusals[name].title)}</td></tr>`,
    )
    .join('\n')
  return page(
    'Error codes',
    `<h1>Error codes</h1><table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table>`,
  )
}
