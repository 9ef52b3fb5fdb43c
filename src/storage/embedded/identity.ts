import { chown } from 'node:fs/promises'

// "nobody" on Linux: an id that owns nothing else, and that needs no user to be created.
const unprivileged = 65534

export type Identity = { isRoot: boolean; uid: number | undefined }

export function processIdentity(): Identity {
  const uid = process.getuid?.()
  return { isRoot: uid === 0, uid }
}

/** How the database server is started: as root under an unprivileged id, otherwise as who we are. */
export function serverIdentity(): { uid?: number; gid?: number } {
  return processIdentity().isRoot ? { uid: unprivileged, gid: unprivileged } : {}
}

export async function giveToServer(path: string): Promise<void> {
  if (processIdentity().isRoot) await chown(path, unprivileged, unprivileged)
}
