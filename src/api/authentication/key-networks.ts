import { BlockList, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../contract/refusals.js'
import type { Principal } from '../../store/keys.js'
import type { Service } from '../service.js'
import { clientAddress, isIn } from '../transport/client-address.js'

const lists = new WeakMap<string[], BlockList>()

/** Whether the networks of the caller's key, if it has any, include the address. */
export function isFromAllowedNetwork({ networks }: Principal, address: () => string): boolean {
  return networks === null || isIn(listOf(networks), address())
}

export function refuseOtherNetwork(
  { trustedProxies }: Pick<Service, 'trustedProxies'>,
  caller: Principal,
  { raw }: FastifyRequest,
): void {
  if (!isFromAllowedNetwork(caller, () => clientAddress(raw, trustedProxies))) throw new Refusal('address_not_allowed')
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
