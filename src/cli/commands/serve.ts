import type { Command } from 'commander'
import { listen, serveUntilStopped } from '../server.js'
import { readSettings } from '../settings.js'

export function addTo(program: Command): void {
  program
    .command('serve')
    .description('run the service')
    .option('--port <port>', 'port to listen on (PORT)')
    .option('--host <host>', 'address to listen on (HOST)')
    .action(async (flags: { port?: string; host?: string }) => {
      const settings = readSettings(withFlags(process.env, flags))
      await serveUntilStopped(settings, (storage) => listen(storage, settings))
    })
}

/** A flag wins over its variable. */
export function withFlags(
  environment: NodeJS.ProcessEnv,
  { port, host }: { port?: string; host?: string },
): NodeJS.ProcessEnv {
  return { ...environment, ...(port !== undefined && { PORT: port }), ...(host !== undefined && { HOST: host }) }
}
