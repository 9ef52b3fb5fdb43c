import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Database } from '../../database/database.js'
import { readServiceSecrets } from '../../database/service-secrets.js'
import { decrypt, encrypt } from '../../store/encrypted-value.js'
import { cookieFor, readCookie } from './cookies.js'

/**
 * A device on which people have signed in, in an encrypted cookie. It gives no access: it only counts failed sign-ins on this device
 * apart from those of strangers, and distinguishes a new device from a known one.
 */
type Device = { device: string; people: string[] }

const name = 'waybill_device'
const seconds = 365 * 24 * 60 * 60
const mostPeople = 10

/** Identifies the device if the person has signed in on it before. */
export async function findDevice(
  db: Database,
  url: string | undefined,
  request: IncomingMessage,
  person_id: string,
): Promise<string | undefined> {
  const known = await readDevice(db, url, request)
  return known?.people.includes(person_id) ? known.device : undefined
}

/** The cookie after somebody has signed in. */
export async function deviceCookie(
  db: Database,
  url: string | undefined,
  request: IncomingMessage,
  person_id: string,
): Promise<string> {
  const known = await readDevice(db, url, request)
  const others = known?.people.filter((other) => other !== person_id) ?? []
  const device: Device = {
    device: known?.device ?? randomBytes(12).toString('base64url'),
    people: [person_id, ...others].slice(0, mostPeople),
  }
  const { link_secret } = await readServiceSecrets(db)
  return cookieFor(request, url, { name, value: encrypt(link_secret, 'browser', device), seconds })
}

async function readDevice(
  db: Database,
  url: string | undefined,
  request: IncomingMessage,
): Promise<Device | undefined> {
  const value = readCookie(request, url, name)
  if (value === undefined) return undefined
  const { link_secret } = await readServiceSecrets(db)
  const device = decrypt(link_secret, 'browser', value) as Partial<Device> | undefined
  // Other values are encrypted with the same key.
  const isDevice = typeof device?.device === 'string' && Array.isArray(device.people)
  return isDevice ? (device as Device) : undefined
}
