import { resolve } from 'node:path'
import { buildApp } from '../api/app.js'
import type { WorkerChannel } from '../api/limits/worker-channel.js'
import type { Service } from '../api/service.js'
import { watchDatabase } from '../database/database-watchdog.js'
import { runSearchIndexer } from '../feed/search-indexer.js'
import { watchFolder } from '../ingest/folder/watch-folder.js'
import type { SendMail } from '../mail/messages.js'
import { runDueInvoices } from '../usecases/billing/run-due-invoices.js'
import { runExceptions } from '../usecases/exceptions/run-exceptions.js'
import { runFeeds } from '../usecases/feeds/run-feeds.js'
import { openOutbox } from '../usecases/mail/outbox.js'
import { runInbox } from '../usecases/messages/inbox.js'
import { runNotifications } from '../usecases/notifications/run-notifications.js'
import { runWebhooks } from '../usecases/webhooks/run-webhooks.js'
import { type ListenAddress, listenFailure, mainAddress, operatorAddress } from './listen-address.js'
import { logFrom } from './log.js'
import { describeFailure, mailDeliverer, printLink } from './mail.js'
import type { Storage } from './open-storage.js'
import { baseOf } from './portal-address.js'
import type { SimulatedWorld } from './sandbox/world.js'
import type { RunningService } from './service-lifecycle.js'
import type { Settings } from './settings.js'
import { version } from './version.js'

type Options = {
  demoAccount?: string
  demoKeys?: Service['demoKeys']
  world?: SimulatedWorld
  workerChannel?: WorkerChannel
}

/** Starts the service on its addresses, and its background tasks. */
export async function listen(storage: Storage, settings: Settings, options: Options = {}): Promise<RunningService> {
  const stop = new AbortController()
  const log = logFrom(settings.logLevel)
  const deliver = settings.mail ? mailDeliverer(settings.mail, settings) : options.world?.keepMail
  const outbox =
    deliver &&
    openOutbox(storage.db, deliver, {
      signal: stop.signal,
      onError: (error) => log('warn', `mails could not be sent: ${(error as Error).message}`),
      onFailure: (mail, reason) => log('warn', describeFailure(mail, reason)),
    })
  const running = await openAddresses(storage, settings, {
    ...options,
    sendMail: outbox?.send ?? printLink,
    sendsMail: outbox !== undefined,
  })
  const sending = outbox?.run()
  // The sandbox may listen on any free port.
  const base = options.world ? (settings.publicUrl ?? running.address) : undefined
  const mail = deliver && { base: base ?? baseOf(settings, 'portal'), forwarderName: settings.forwarderName }
  const indexing = runSearchIndexer(storage.db, {
    signal: stop.signal,
    onError: (error) => log('warn', `the search index could not be updated: ${(error as Error).message}`),
  })
  const processing = runInbox(storage.db, {
    signal: stop.signal,
    quotas: settings.quotas,
    onError: (error) => log('warn', `a message could not be processed: ${(error as Error).message}`),
  })
  const readTime = options.world?.reportedTime
  const evaluating = runExceptions(storage.db, {
    signal: stop.signal,
    readTime,
    onError: (error) => log('warn', `exceptions could not be evaluated: ${(error as Error).message}`),
  })
  const collecting = runDueInvoices(storage.db, {
    signal: stop.signal,
    readTime,
    onError: (error) => log('warn', `invoices could not become due: ${(error as Error).message}`),
  })
  const notifying = runNotifications(storage.db, {
    signal: stop.signal,
    mail: mail && { ...mail, officeBase: base ?? officeBase(settings), replyAddress: settings.replyAddress },
    readTime,
    onError: (error) => log('warn', `notifications could not be written: ${(error as Error).message}`),
  })
  const fetching = runFeeds(storage.db, {
    signal: stop.signal,
    quotas: settings.quotas,
    allowsPrivate: settings.feedsFromPrivateAddresses,
    onError: (error) => log('warn', `a feed could not be fetched: ${(error as Error).message}`),
  })
  const delivering = runWebhooks(storage.db, {
    signal: stop.signal,
    allowsPrivate: settings.webhooksToPrivateNetworks,
    mail,
    onError: (error) => log('warn', `webhooks could not be sent: ${(error as Error).message}`),
  })
  const taking =
    settings.inboxFolder === undefined
      ? undefined
      : watchFolder(storage.db, resolve(settings.inboxFolder), {
          signal: stop.signal,
          quotas: settings.quotas,
          onError: (error) => log('warn', `the watched folder: ${(error as Error).message}`),
        })
  const simulating = options.world?.run({
    signal: stop.signal,
    mail,
    sendMails: async () => outbox?.sendDue(),
    onError: (error) => log('warn', `time could not be simulated: ${(error as Error).message}`),
  })
  const watching = watchDatabase(storage.db, {
    signal: stop.signal,
    onChange: (isAvailable) =>
      log('warn', isAvailable ? 'the database responds again' : 'the database does not respond'),
  })
  const close = async () => {
    stop.abort()
    await Promise.all([
      running.close(),
      indexing,
      processing,
      evaluating,
      collecting,
      notifying,
      fetching,
      delivering,
      sending,
      taking,
      simulating,
      watching,
    ])
  }
  return { ...running, close }
}

/** Opens the service, and the operator interface on a separate address if the settings say so. */
async function openAddresses(
  storage: Storage,
  settings: Settings,
  options: Options & { sendMail: SendMail; sendsMail: boolean },
): Promise<RunningService> {
  const { operators } = settings
  const service = {
    db: storage.db,
    replicas: storage.replicas,
    readQuorum: settings.readQuorum || undefined,
    files: storage.files,
    rateLimit: settings.rateLimit,
    quotas: settings.quotas,
    connectionsPerAddress: settings.connectionsPerAddress,
    publicUrl: settings.publicUrl,
    officeUrl: settings.officeUrl,
    trustedProxies: settings.trustedProxies,
    demoAccount: options.demoAccount,
    demoKeys: options.demoKeys,
    world: options.world,
    ...(options.workerChannel && { workerChannel: options.workerChannel }),
    forwarderName: settings.forwarderName,
    cacheBytes: settings.cacheBytes,
    requestLogDays: settings.requestLogDays,
    auditDays: settings.auditDays,
    messageDays: settings.messageDays,
    eventDays: settings.eventDays,
    replyAddress: settings.replyAddress,
    webhooksToPrivateNetworks: settings.webhooksToPrivateNetworks,
    logLevel: settings.logLevel,
    version,
    metricsToken: settings.metricsToken,
    portal: {
      sendMail: options.sendMail,
      sendsMail: options.sendsMail,
      offersTracking: settings.offersTracking,
      provider: settings.provider,
    },
  }
  storage.drainOnStop()
  const isShared = operators === 'with customers'
  const main = await openAt(mainAddress(settings), { ...service, serves: { customers: true, operators: isShared } })
  const ofOperators = operatorAddress(settings)
  if (!ofOperators) return { ...main, operatorAddress: isShared ? main.address : undefined }
  try {
    const separate = await openAt(ofOperators, { ...service, serves: { customers: false, operators: true } })
    return {
      address: main.address,
      operatorAddress: separate.address,
      announced: [...main.announced, ...separate.announced],
      close: async () => void (await Promise.all([main.close(), separate.close()])),
    }
  } catch (error) {
    await main.close()
    throw error
  }
}

async function openAt(place: ListenAddress, service: Service) {
  const app = await buildApp(service)
  try {
    const announced: string[] = []
    const listenTextResolver = (address: string) => {
      announced.push(address)
      return `Server listening at ${address}`
    }
    // With several workers, the main process logs the address once.
    if (service.workerChannel) app.log.level = 'silent'
    const address = await app.listen({ port: place.port, host: place.host, listenTextResolver })
    app.log.level = service.logLevel
    return { address, announced, close: () => app.close() }
  } catch (error) {
    await app.close()
    throw listenFailure(error, place)
  }
}

/** Undefined if the address is not known before the service listens. */
function officeBase(settings: Settings): string | undefined {
  const { operators, officeUrl } = settings
  if (officeUrl === undefined && typeof operators === 'object' && operators.port === 0) return undefined
  return baseOf(settings, 'office')
}
