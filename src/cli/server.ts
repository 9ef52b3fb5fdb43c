import { openAnswerFile } from '../http/answer-file.js'
import { buildApp } from '../http/app.js'
import type { Colleagues } from '../http/colleagues.js'
import type { Service } from '../http/service.js'
import { watchDatabase } from '../storage/database-watch.js'
import { keepSearchUpToDate } from '../storage/search/keeping-up.js'
import { Failure } from './failure.js'
import { logFrom } from './log.js'
import { mailSender } from './mail.js'
import type { Storage } from './open-storage.js'
import type { Listening } from './serving.js'
import type { Settings } from './settings.js'
import { version } from './version.js'

type Place = { port: number; host: string; setting: string }

/** The service on its addresses, and what is done beside it. */
export async function listen(...[storage, settings, options]: Parameters<typeof openAddresses>): Promise<Listening> {
  const listening = await openAddresses(storage, settings, options)
  const stop = new AbortController()
  const log = logFrom(settings.logLevel)
  const keepingUp = keepSearchUpToDate(storage.db, {
    signal: stop.signal,
    onError: (error) => log('warn', `what is searched is not kept up to date: ${(error as Error).message}`),
  })
  const watching = watchDatabase(storage.db, {
    signal: stop.signal,
    onNews: (isThere) => log('warn', isThere ? 'the database answers again' : 'the database does not answer'),
  })
  const close = async () => {
    stop.abort()
    await Promise.all([listening.close(), keepingUp, watching])
  }
  return { ...listening, close }
}

/** The service on its address, and the forwarder's side on one of its own if that is wanted. */
async function openAddresses(
  storage: Storage,
  settings: Settings,
  options: { demoAccount?: string; colleagues?: Colleagues } = {},
): Promise<Listening> {
  const { operators } = settings
  const service = {
    db: storage.db,
    replicas: storage.replicas,
    files: storage.files,
    rateLimit: settings.rateLimit,
    publicUrl: settings.publicUrl,
    demoAccount: options.demoAccount,
    ...(options.colleagues && { colleagues: options.colleagues }),
    forwarderName: settings.forwarderName,
    answerMemory: settings.answerMemory,
    requestLogDays: settings.requestLogDays,
    logLevel: settings.logLevel,
    version,
    metricsToken: settings.metricsToken,
    portal: { sendMail: mailSender(settings), provider: settings.provider },
  }
  storage.outlastStop()
  const here = { port: settings.port, host: settings.host, setting: 'PORT' }
  const isTogether = operators === 'with customers'
  const answerFile = await openFileFor(settings)
  const main = await openAt(here, { ...service, answerFile, serves: { customers: true, operators: isTogether } })
  if (typeof operators === 'string') {
    return { ...main, operatorAddress: isTogether ? main.address : undefined }
  }
  try {
    const own = await openAt(
      { ...operators, setting: 'WAYBILL_OPS_PORT' },
      { ...service, serves: { customers: false, operators: true } },
    )
    return {
      address: main.address,
      operatorAddress: own.address,
      announced: [...main.announced, ...own.announced],
      close: async () => void (await Promise.all([main.close(), own.close()])),
    }
  } catch (error) {
    await main.close()
    throw error
  }
}

/** Without it long answers are made again more often; nothing else. */
async function openFileFor({ answerMemory, answerFile, dataFolder, logLevel }: Settings) {
  if (answerMemory === 0 || answerFile === 0) return undefined
  try {
    return await openAnswerFile(dataFolder, answerFile)
  } catch (error) {
    logFrom(logLevel)('warn', `there is no file for answers in ${dataFolder}: ${(error as Error).message}`)
    return undefined
  }
}

async function openAt({ port, host, setting }: Place, service: Service) {
  const app = await buildApp(service)
  try {
    const announced: string[] = []
    const listenTextResolver = (address: string) => {
      announced.push(address)
      return `Server listening at ${address}`
    }
    // Of several workers, the main process tells once.
    if (service.colleagues) app.log.level = 'silent'
    const address = await app.listen({ port, host, listenTextResolver })
    app.log.level = service.logLevel
    return { address, announced, close: () => app.close() }
  } catch (error) {
    await app.close()
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new Failure(`${host}:${port} is in use: stop what runs there, or choose another ${setting}`)
  }
}
