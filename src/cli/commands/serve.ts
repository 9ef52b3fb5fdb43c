import cluster from 'node:cluster'
import type { Command } from 'commander'
import { serveUntilStopped } from '../service-lifecycle.js'
import { type Flags, readSettings, type Settings, withFlags } from '../settings.js'

export function addTo(program: Command): void {
  program
    .command('serve')
    .description('run the service')
    .option('--port <port>', 'port to listen on (PORT)')
    .option('--host <host>', 'address to listen on (HOST)')
    .option('--workers <number>', 'number of worker processes; auto: one per core (WAYBILL_WORKERS)')
    .option('--wait-for-database <seconds>', 'wait for the database to respond (WAYBILL_WAIT_FOR_DATABASE)')
    .action(async (flags: Flags) => {
      const settings = readSettings(withFlags(process.env, flags))
      if (settings.workers === 1) await serveSingleProcess(settings)
      else if (cluster.isPrimary) await (await import('../workers/main-process.js')).serveWithWorkers(settings)
      else await (await import('../workers/worker.js')).serveAsWorker(settings)
    })
}

async function serveSingleProcess(settings: Settings): Promise<never> {
  // Load the server while the database starts.
  const server = import('../server.js')
  return serveUntilStopped(settings, async (storage) => (await server).listen(storage, settings))
}
