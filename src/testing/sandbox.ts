import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A sandbox for the tests of a program that calls Waybill: the real service, with demo data, in a process of its own. */

export type SandboxOptions = {
  /** The port to listen on; a free one unless given. */
  port?: number
  /** Where the data is kept. Unless given, in a new folder, which `close` removes. Generating its data takes some seconds each time. */
  dataFolder?: string
  /** Settings, such as `DATABASE_URL` where the embedded database is not installed: see docs/configuration.md. */
  settings?: Record<string, string>
  /** Stops waiting for the start. */
  signal?: AbortSignal
}

export type Sandbox = {
  /** The address of the service, such as `http://127.0.0.1:43817`. */
  url: string
  /** A key of the account `demo`, which may read and write. */
  key: string
  /** Keys of all accounts: `demo`, `demo-second` and `demo-empty`. */
  keys: Record<string, string>
  /** A key of an operator: of the forwarder, who writes shipments, tracking and invoices. */
  operatorKey: string
  /** Stops the service. */
  close(): Promise<void>
}

const program = fileURLToPath(new URL('../../bin/waybill.cjs', import.meta.url))

/** Starts `waybill sandbox`, and resolves when it serves requests. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  options.signal?.throwIfAborted()
  const dataFolder = options.dataFolder ?? (await newFolder())
  const child = spawn(process.execPath, [program, 'sandbox'], {
    // Only these: a DATABASE_URL of the program under test must not become the sandbox's.
    env: { ...options.settings, PORT: String(options.port ?? 0), WAYBILL_DATA_DIR: dataFolder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = () => void child.kill('SIGTERM')
  // Without this the service would outlive a test run that ends early.
  process.once('exit', stop)
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve()))
  const close = async () => {
    stop()
    await ended
    process.off('exit', stop)
    if (options.dataFolder === undefined) await rm(dataFolder, { recursive: true, force: true })
  }
  try {
    const url = await addressOf(child, options.signal)
    const { keys, operatorKey } = JSON.parse(await readFile(join(dataFolder, 'sandbox.json'), 'utf8')) as {
      keys: Record<string, string>
      operatorKey: string
    }
    return { url, key: keys.demo as string, keys, operatorKey, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-sandbox-'))
  // As root, the database runs as another user, who has to reach its folder.
  await chmod(folder, 0o755)
  return folder
}

function addressOf(child: ChildProcess, signal: AbortSignal | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    let errors = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const [, address] = /^Waybill sandbox: (\S+)$/m.exec(output) ?? []
      if (address !== undefined) resolve(address)
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-4000)
    })
    child.once('error', reject)
    child.once('close', () => reject(new Error(`the sandbox does not start: ${errors.trim() || 'no reason given'}`)))
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}
