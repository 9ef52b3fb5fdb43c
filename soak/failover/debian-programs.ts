import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Programs of Debian that the parts about high availability run, each with its package. */
const packages = {
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  patroni: 'patroni',
  patronictl: 'patroni',
  pgbouncer: 'pgbouncer',
} as const

export type DebianProgram = keyof typeof packages

/** Where each of them is. Throws with the command that installs what is missing. */
export function findPrograms<Name extends DebianProgram>(names: Name[]): Record<Name, string> {
  const found = names.map((name) => [name, findProgram(name)] as const)
  const missing = found.flatMap(([name, path]) => (path === undefined ? [packages[name]] : []))
  if (missing.length > 0) throw new Error(installFirst(missing))
  return Object.fromEntries(found) as Record<Name, string>
}

/** The programs of the newest PostgreSQL of Debian: the embedded one has no `pg_basebackup` and no `pg_rewind`. */
export function findServerPrograms(): string {
  const installed = '/usr/lib/postgresql'
  const versions = existsSync(installed) ? readdirSync(installed).map(Number) : []
  const newest = Math.max(...versions.filter((version) => version >= 15 && version <= 18))
  if (!Number.isFinite(newest)) throw new Error(installFirst(['postgresql']))
  return join(installed, String(newest), 'bin')
}

function installFirst(names: string[]): string {
  return `this part needs programs of Debian: apt-get install --no-install-recommends ${[...new Set(names)].join(' ')}`
}

function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin']
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}
