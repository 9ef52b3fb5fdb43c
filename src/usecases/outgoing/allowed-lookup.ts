import { lookup as lookUp } from 'node:dns'
import { lookup as resolveName } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { type AddressRule, faultOfAddress } from './allowed-address.js'

/** The address may not be connected to. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress'
}

/** The name of a literal address is not looked up when it is connected to: it is checked before. */
export function refuseLiteral(url: URL, rule: AddressRule): void {
  const host = hostOf(url)
  if (isIP(host) !== 0) refuseAddress(host, rule)
}

/** Checks the addresses that are connected to: a name may lead anywhere, and elsewhere the next time. */
export function allowedLookup(rule: AddressRule): LookupFunction {
  return (hostname, options, callback) => {
    lookUp(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '')
      const allowed = found.filter(({ address }) => faultOfAddress(address, rule) === undefined)
      const [first] = allowed
      if (!first) {
        const [other] = found
        const fault = other ? ` ${faultOfAddress(other.address, rule)}` : ' is not known'
        return callback(new ForbiddenAddress(`The address ${other?.address ?? hostname}${fault}.`), '')
      }
      if (options.all) return callback(null, allowed)
      return callback(null, first.address, first.family)
    })
  }
}

/** For input: refuses an address of which it is known now that it would not be connected to. */
export async function refuseForbidden(url: URL, rule: AddressRule, timeout: number): Promise<void> {
  refuseLiteral(url, rule)
  const host = hostOf(url)
  if (isIP(host) !== 0) return
  const late = new Promise<[]>((resolve) => setTimeout(() => resolve([]), timeout).unref())
  // A name that is not known yet may become so.
  const found = await Promise.race([resolveName(host, { all: true }).catch(() => []), late])
  const [first] = found
  if (first && found.every(({ address }) => faultOfAddress(address, rule) !== undefined))
    refuseAddress(first.address, rule)
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

function refuseAddress(address: string, rule: AddressRule): void {
  const fault = faultOfAddress(address, rule)
  if (fault !== undefined) throw new ForbiddenAddress(`The address ${address} ${fault}.`)
}
