import { BlockList, isIP } from 'node:net'

/** Parses a list of addresses and networks, separated by commas; undefined if one is not valid. */
export function findNetworks(text: string): BlockList | undefined {
  const networks = new BlockList()
  for (const item of text.split(',').map((each) => each.trim())) {
    if (item === '') continue
    const [address = '', bits, ...rest] = item.split('/')
    const version = isIP(address)
    const longest = version === 6 ? 128 : 32
    const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest)
    // An interface, as in fe80::1%eth0, is not part of an address.
    if (version === 0 || address.includes('%') || !isNetwork || rest.length > 0) return undefined
    networks.addSubnet(address, Number(bits ?? longest), version === 6 ? 'ipv6' : 'ipv4')
  }
  return networks
}
