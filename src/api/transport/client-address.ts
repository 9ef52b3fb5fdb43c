import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6, type Socket } from 'node:net'
import { namesLoopback } from './loopback.js'

const privateNetworks = new BlockList()
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  privateNetworks.addSubnet(network, bits)
}
privateNetworks.addAddress('::1', 'ipv6')
privateNetworks.addSubnet('fc00::', 7, 'ipv6')
privateNetworks.addSubnet('fe80::', 10, 'ipv6')

/**
 * The client's address. X-Forwarded-For counts only from trusted proxies, and only if it contains addresses: other clients
 * could forge another address with every attempt. Each proxy appends the address that it was called from, so the client is
 * the last one that is not itself a trusted proxy.
 */
export function clientAddress({ socket, headers }: IncomingMessage, trustedProxies: BlockList): string {
  let client = connectionAddress(socket)
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
  for (const text of forwarded.toReversed()) {
    const address = plainAddress(text.trim())
    if (!isIP(address) || !isIn(trustedProxies, client)) break
    client = address
  }
  return client
}

/** The address that a connection comes from: of the client, or of a proxy. */
export function connectionAddress({ remoteAddress }: Socket): string {
  return plainAddress(remoteAddress)
}

/** For limits by address. One subscriber has a whole /64 of IPv6. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [start = [], end = []] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  const between = Array.from<string>({ length: Math.max(0, 8 - start.length - end.length) }).fill('0')
  const network = [...start, ...between, ...end].slice(0, 4)
  return network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
}

/** Whether the request comes from a private network, and not through a proxy. */
export function isDirectFromPrivateNetwork(request: IncomingMessage): boolean {
  const { socket, headers } = request
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  return !isForwarded && isIn(privateNetworks, connectionAddress(socket))
}

// Names that nobody can register, so that they are resolved inside the network only: without a dot, or reserved.
const internalName = /^(?:[\w-]+|[\w.-]+\.(?:local|internal|localhost|home\.arpa))$/i

/**
 * Whether the Host header is an address, the public URL, or a name that only the own network can resolve. A page of another
 * origin can reach the service by DNS rebinding with names of its own only.
 */
export function hasTrustedHost({ headers }: IncomingMessage, publicUrl: string | undefined): boolean {
  const address = `http://${headers.host ?? ''}`
  if (!URL.canParse(address)) return false
  const { hostname, host } = new URL(address)
  const isPublic = publicUrl !== undefined && new URL(publicUrl).host === host
  return isPublic || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0 || internalName.test(hostname)
}

export function isIn(networks: BlockList, address: string): boolean {
  return isIP(address) !== 0 && networks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/**
 * The base URL for links in e-mails. Never taken from the Host header of a remote client, who could make the service send a
 * password link that leads to another host.
 */
export function trustedBaseUrl(request: IncomingMessage, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl
  if (namesLoopback(request)) return `http://${request.headers.host}`
  const { localAddress, localPort } = request.socket
  const address = plainAddress(localAddress)
  return `http://${isIPv6(address) ? `[${address}]` : address}:${localPort}`
}

// A dual-stack socket reports IPv4 addresses as ::ffff:a.b.c.d, and link-local ones with their interface: fe80::1%eth0.
function plainAddress(address = ''): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
}
