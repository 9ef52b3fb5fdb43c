import type { Site } from '../contract/portal/sites.js'
import { Failure } from './failure.js'
import type { Settings } from './settings.js'

/** The base URL of the portal or the office according to the settings. */
export function baseOf({ publicUrl, officeUrl, host, port, operators }: Settings, site: Site): string {
  const isSeparate = site === 'office' && typeof operators === 'object'
  const url = site === 'office' ? (officeUrl ?? (isSeparate ? undefined : publicUrl)) : publicUrl
  if (url !== undefined) return url
  const place = isSeparate ? operators : { host, port }
  if (place.port === 0) {
    const [name, setting] = isSeparate ? ['WAYBILL_OPS_PORT', 'WAYBILL_OFFICE_URL'] : ['PORT', 'WAYBILL_PUBLIC_URL']
    throw new Failure(`${name} is 0: set ${setting} to the address of the ${site}`, 2)
  }
  // Wildcard addresses are not valid in links.
  const name = place.host === '0.0.0.0' || place.host === '::' ? 'localhost' : place.host
  return `http://${name.includes(':') ? `[${name}]` : name}:${place.port}`
}
