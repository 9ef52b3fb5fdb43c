import type { FastifyInstance } from 'fastify'
import { inTime, oneAtATime } from '../storage/in-time.js'
import { findSchemaVersion, schemaVersion } from '../storage/migrate.js'
import type { Service } from './service.js'

/** Whether the service can do what it is there for, as far as it can find out by trying. */
export type Readiness = {
  /** Why it cannot serve; undefined: it can. */
  fault(): Promise<string | undefined>
  /** Why documents cannot be taken in, while all else goes on; undefined: they can. */
  documentsFault(): Promise<string | undefined>
}

const patience = 1500
// Whoever asks more often is told what was found last.
const probeEvery = 10_000

export function watchReadiness(app: FastifyInstance, { db, files }: Pick<Service, 'db' | 'files'>): Readiness {
  let isStopping = false
  let probed = Number.NEGATIVE_INFINITY
  let documents: Promise<string | undefined> | undefined
  let isTold = false
  let lastFault: string | undefined
  const readVersion = oneAtATime(() => findSchemaVersion(db))
  app.addHook('preClose', async () => {
    isStopping = true
  })

  async function databaseFault(): Promise<string | undefined> {
    const version = await inTime(readVersion(), patience).catch((error: unknown) => {
      if (lastFault === undefined) app.log.warn({ err: error }, 'the database does not answer')
      return undefined
    })
    if (version === undefined) return 'The database does not answer.'
    if (version >= schemaVersion) return undefined
    // One that is ahead was migrated by a newer process that takes over from this one, which serves on until then.
    return `The database has schema version ${version}, this program needs ${schemaVersion}: run \`waybill migrate\`.`
  }

  async function probe(): Promise<string | undefined> {
    try {
      await inTime(files.probe(), patience)
      isTold = false
      return undefined
    } catch (error) {
      if (!isTold) app.log.warn({ err: error, cause: causeOf(error) }, 'documents cannot be taken in')
      isTold = true
      return 'The bytes of documents cannot be written.'
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
    documentsFault() {
      if (documents && performance.now() - probed < probeEvery) return documents
      probed = performance.now()
      documents = probe()
      return documents
    },
  }
}

function causeOf(error: unknown): string | undefined {
  return error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined
}
