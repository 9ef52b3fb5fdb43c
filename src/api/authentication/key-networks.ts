import { BlockList, isIPv6 } from 'node:net'
import type { Principal } from '../../store/keys.js'
import { isIn } from '../portal/client-address.js'

const lists = new WeakMap<string[], BlockList>()

/** Whether the networks of the caller's key, if it has any, include the address. */
export function isFromAllowedNetwork({ networks }: Principal, address: () => string): boolean {
  return networks === null || isIn(listOf(networks), address())
}

// Cached principals are used for many requests.
function listOf(networks: string[]): BlockList {
  const known = lists.get(networks)
  if (known) return known
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const isV6 = isIPv6(address)
    list.addSubnet(address, Number(bits ?? (isV6 ? 128 : 32)), isV6 ? 'ipv6' : 'ipv4')
  }
  lists.set(networks, list)
  return list
}
