import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { DatabasePlace, Running } from '../../contender.js'
import { freePort, startProgram } from '../../processes.js'

const run = promisify(execFile)
const packages = join(import.meta.dirname, 'node_modules')

// Behind the program `directus`, which first asks the registry for a newer version of itself.
const program = join(packages, '@directus', 'api', 'dist', 'cli', 'run.js')

/** Directus loads it at its start, and it is the only package that has to be compiled. */
export async function ensureCompiled(): Promise<void> {
  const compiled = join(packages, 'isolated-vm', 'out', 'isolated_vm.node')
  if (await exists(compiled)) return
  console.log('compiling isolated-vm for Directus')
  await run('npm', ['rebuild', 'isolated-vm', '--ignore-scripts=false'], { cwd: import.meta.dirname })
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

/** Makes the tables of Directus itself beside those that are there. */
export async function bootstrap(place: DatabasePlace): Promise<void> {
  await run(process.execPath, [program, 'bootstrap'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment(place) },
  })
}

export async function startDirectus(place: DatabasePlace, more: Record<string, string> = {}): Promise<Running> {
  const port = await freePort()
  return startProgram({
    name: 'Directus',
    command: [process.execPath, program, 'start'],
    environment: { ...environment(place), ...more, HOST: '127.0.0.1', PORT: String(port) },
    port,
    readyPath: '/server/ping',
    patience: 120_000,
  })
}

export const administrator = 'admin@example.com'

function environment({ socketFolder, port, user, database }: DatabasePlace): Record<string, string> {
  return {
    NODE_ENV: 'production',
    DB_CLIENT: 'pg',
    DB_HOST: socketFolder,
    DB_PORT: String(port),
    DB_USER: user,
    DB_DATABASE: database,
    // Has to be there; the socket asks for none.
    DB_PASSWORD: 'none',
    DB_POOL__MIN: '0',
    DB_POOL__MAX: '10',
    SECRET: 'only for the benchmark',
    ADMIN_EMAIL: administrator,
    ADMIN_PASSWORD: 'only for the benchmark',
    LOG_LEVEL: 'error',
    TELEMETRY: 'false',
    SERVE_APP: 'false',
    EMAIL_VERIFY_SETUP: 'false',
    RATE_LIMITER_ENABLED: 'false',
    // It answers 503 as soon as the process is busy all the time, which is what is measured.
    PRESSURE_LIMITER_ENABLED: 'false',
    // All children of an item, however many.
    QUERY_LIMIT_DEFAULT: '-1',
    EXTENSIONS_PATH: join(tmpdir(), 'waybill-bench-directus', 'extensions'),
    STORAGE_LOCAL_ROOT: join(tmpdir(), 'waybill-bench-directus', 'uploads'),
  }
}
