import { readFileSync, statSync } from 'node:fs'
import { chown } from 'node:fs/promises'

/** PostgreSQL refuses to run as root. As root, its server runs as the user `waybill`, if there is one. */
const serverUser = 'waybill'

// "nobody" on Linux: needs no user account, but other services may run under the same id.
const nobody = { uid: 65534, gid: 65534 }

export type Identity = { isRoot: boolean; uid: number | undefined }
type ServerIdentity = { uid?: number; gid?: number }

export function processIdentity(): Identity {
  const uid = process.getuid?.()
  return { isRoot: uid === 0, uid }
}

/** The user for the server of a folder: its owner if it exists, since only the owner may run it. */
export function serverIdentity(folder: string): ServerIdentity {
  if (!processIdentity().isRoot) return {}
  const existing = statSync(folder, { throwIfNoEntry: false })
  return existing && existing.uid !== 0 ? { uid: existing.uid, gid: existing.gid } : unprivileged()
}

export async function chownToServer(path: string, { uid, gid }: ServerIdentity = unprivileged()): Promise<void> {
  if (processIdentity().isRoot && uid !== undefined && gid !== undefined) await chown(path, uid, gid)
}

function unprivileged(): ServerIdentity {
  return dedicatedUser() ?? nobody
}

function dedicatedUser(): { uid: number; gid: number } | undefined {
  const [, uid, gid] = new RegExp(`^${serverUser}:[^:]*:(\\d+):(\\d+):`, 'm').exec(passwordFile()) ?? []
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}

function passwordFile(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8')
  } catch {
    // Absent on some systems, which have no `nobody` either: the start of the server reports it.
    return ''
  }
}
