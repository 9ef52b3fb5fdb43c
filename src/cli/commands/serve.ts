import cluster from 'node:cluster'
import type { Command } from 'commander'
import { serveUntilStopped } from '../serving.js'
import { readSettings, type Settings } from '../settings.js'

type Flags = { port?: string; host?: string; workers?: string }

export function addTo(program: Command): void {
  program
    .command('serve')
    .description('run the service')
    .option('--port <port>', 'port to listen on (PORT)')
    .option('--host <host>', 'address to listen on (HOST)')
    .option('--workers <number>', 'processes that serve; auto: one for each core (WAYBILL_WORKERS)')
    .action(async (flags: Flags) => {
      const settings = readSettings(withFlags(process.env, flags))
      if (settings.workers === 1) await serveAlone(settings)
      else if (cluster.isPrimary) await (await import('../workers/main-process.js')).serveWithWorkers(settings)
      else await (await import('../workers/worker.js')).serveAsWorker(settings)
    })
}

async function serveAlone(settings: Settings): Promise<never> {
  // Loaded while the database starts.
  const server = import('../server.js')
  return serveUntilStopped(settings, async (storage) => (await server).listen(storage, settings))
}

/** A flag wins over its variable. */
export function withFlags(environment: NodeJS.ProcessEnv, { port, host, workers }: Flags): NodeJS.ProcessEnv {
  return {
    ...environment,
    ...(port !== undefined && { PORT: port }),
    ...(host !== undefined && { HOST: host }),
    ...(workers !== undefined && { WAYBILL_WORKERS: workers }),
  }
}
