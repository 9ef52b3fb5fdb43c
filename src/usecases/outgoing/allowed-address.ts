import { BlockList, isIP, isIPv6 } from 'node:net'

/** The addresses that requests may be sent to: of feeds to carriers, and of webhooks to customers. */

// Never a receiver: this host and network, link-local, where clouds serve credentials (some do so at an address of a private
// network), multicast, reserved, translated.
const never = networks(
  '0.0.0.0/8 100.100.100.200/32 169.254.0.0/16 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
  '::/128 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 fd00:ec2::254/128 fe80::/10 fec0::/10 ff00::/8 3fff::/20 5f00::/16',
)
const privateNetworks = networks(
  '10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 172.16.0.0/12 192.168.0.0/16 198.18.0.0/15',
  '::1/128 fc00::/7',
)

function networks(v4: string, v6: string): BlockList {
  const list = new BlockList()
  for (const [texts, family] of [[v4, 'ipv4'] as const, [v6, 'ipv6'] as const]) {
    for (const text of texts.split(' ')) {
      const [network = '', bits] = text.split('/')
      list.addSubnet(network, Number(bits), family)
    }
  }
  return list
}

/** `setting`: the variable that allows private addresses. */
export type AddressRule = { allowsPrivate: boolean; isEncrypted: boolean; setting: string }

/** Why an address may not be connected to; undefined if it may. */
export function faultOfAddress(
  address: string,
  { allowsPrivate, isEncrypted, setting }: AddressRule,
): string | undefined {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (isIP(address) === 0 || never.check(address, family)) return 'is reserved'
  // The unassigned rest of ::/96 contains IPv4 addresses in an obsolete form.
  if (family === 'ipv6' && /^::(?!1$|ffff:)/i.test(address)) return 'is reserved'
  if (privateNetworks.check(address, family)) return allowsPrivate ? undefined : `is private: ${setting}=on allows it`
  return isEncrypted ? undefined : 'is public: the address must start with https://'
}
