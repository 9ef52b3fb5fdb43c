import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { DatabasePlace, RunningServer } from '../../bench-server.js'

/** Starts a comparison server in a separate process, and waits until it listens. */
export async function startServer(program: URL, place: DatabasePlace): Promise<RunningServer> {
  const child = spawn(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), fileURLToPath(program), JSON.stringify(place)],
    { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env: { ...process.env, NODE_ENV: 'production' } },
  )
  const ended = once(child, 'exit')
  const [message] = (await Promise.race([once(child, 'message'), ended.then(() => [undefined])])) as [Listening?]
  if (!message) throw new Error(`${fileURLToPath(program)} ended before it listened`)
  return {
    url: message.url,
    pids: [child.pid as number],
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

type Listening = { url: string }
