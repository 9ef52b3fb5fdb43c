import { Failure } from './failure.js'
import type { Settings } from './settings.js'

/** The base URL of the portal according to the settings. */
export function baseOf({ publicUrl, host, port }: Settings): string {
  if (publicUrl !== undefined) return publicUrl
  if (port === 0) throw new Failure('PORT is 0: set WAYBILL_PUBLIC_URL to the address of the portal', 2)
  // Wildcard addresses are not valid in links.
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
