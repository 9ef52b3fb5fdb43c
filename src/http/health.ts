import type { FastifyInstance } from 'fastify'
import { Refusal } from '../contract/refusals.js'
import type { Service } from './service.js'

/** Alive: the process answers. Ready: it can serve, which it cannot without its database. */
export function registerHealth(app: FastifyInstance, { db }: Service): void {
  app.get('/health/live', async () => ({ status: 'ok' }))
  app.get('/health/ready', async () => {
    const answered = await Promise.race([
      db`select 1`.then(
        () => true,
        () => false,
      ),
      new Promise<boolean>((resolve) => setTimeout(resolve, 1500, false).unref()),
    ])
    if (!answered) throw new Refusal('service_unavailable', 'The database does not answer.')
    return { status: 'ok' }
  })
}
