import type { FastifyInstance } from 'fastify'
import { findSchemaVersion, schemaVersion } from '../../database/migrate.js'
import type { ReadQuorum } from '../../database/read-quorum.js'
import { singleFlight, withTimeout } from '../../database/timeout.js'
import type { Service } from '../service.js'

/** Whether the service can do its work, found out by trying. */
export type Readiness = {
  /** Why the service cannot serve; undefined if it can. */
  fault(): Promise<string | undefined>
  /** What does not work while it serves; undefined: everything does. Of the last `fault()`. */
  limitation(): string | undefined
  /** Why documents cannot be stored; undefined if they can. */
  documentsFault(): Promise<string | undefined>
}

const timeout = 1500
const withoutPrimary = 'The database has no primary: only reads of /v1 with a key are served.'
// Within this time the last result is returned.
const probeInterval = 10_000

export function watchReadiness(
  app: FastifyInstance,
  { db, files }: Pick<Service, 'db' | 'files'>,
  quorum?: ReadQuorum,
): Readiness {
  let isStopping = false
  let probedAt = Number.NEGATIVE_INFINITY
  let documents: Promise<string | undefined> | undefined
  let isLogged = false
  let lastFault: string | undefined
  let limitation: string | undefined
  const readVersion = singleFlight(() => findSchemaVersion(db))
  app.addHook('preClose', async () => {
    isStopping = true
  })

  async function databaseFault(): Promise<string | undefined> {
    const version = await withTimeout(readVersion(), timeout).catch((error: unknown) => {
      if (lastFault === undefined) app.log.warn({ err: error }, 'the database does not respond')
      return undefined
    })
    limitation = version === undefined && (await quorum?.(async () => true)) ? withoutPrimary : undefined
    if (limitation !== undefined) return undefined
    if (version === undefined) return 'The database does not respond.'
    // A newer schema is fine: in a rolling upgrade the old process keeps serving until it is replaced.
    if (version >= schemaVersion) return undefined
    return `The database has schema version ${version}, this program needs ${schemaVersion}: run \`waybill migrate\`.`
  }

  async function probeDocuments(): Promise<string | undefined> {
    try {
      await withTimeout(files.probe(), timeout)
      isLogged = false
      return undefined
    } catch (error) {
      if (!isLogged) app.log.warn({ err: error, cause: causeOf(error) }, 'documents cannot be stored')
      isLogged = true
      return 'Documents cannot be stored.'
    }
  }

  async function fault(): Promise<string | undefined> {
    const found = isStopping ? 'The service is stopping.' : await databaseFault()
    if (found !== lastFault) app.log.info({ reason: found }, found === undefined ? 'ready again' : 'not ready')
    lastFault = found
    return found
  }

  return {
    fault,
    limitation: () => limitation,
    documentsFault() {
      if (documents && performance.now() - probedAt < probeInterval) return documents
      probedAt = performance.now()
      documents = probeDocuments()
      return documents
    },
  }
}

function causeOf(error: unknown): string | undefined {
  return error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined
}
