import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import { namesLoopback } from '../loopback.js'

/** Which machines talk to each other. */

const near = new BlockList()
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  near.addSubnet(network, bits)
}
near.addAddress('::1', 'ipv6')
near.addSubnet('fc00::', 7, 'ipv6')
near.addSubnet('fe80::', 10, 'ipv6')

/**
 * The machine that is asking. A proxy tells it, and has to be near: whoever comes from afar could name another machine
 * with every attempt.
 */
export function machineOf({ socket, headers }: IncomingMessage): string {
  const direct = plain(socket.remoteAddress)
  if (!isNear(direct)) return networkOf(direct)
  const told = String(headers['x-forwarded-for'] ?? '').split(',')
  return networkOf(plain(told.at(-1)?.trim()) || direct)
}

/** Whether it is asked by a machine nearby itself, not by a proxy for somebody else. */
export function isAskedFromNearby({ socket, headers }: IncomingMessage): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  return !isForwarded && isNear(plain(socket.remoteAddress))
}

function isNear(address: string): boolean {
  return near.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

// One subscriber has all addresses of such a network.
function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [start = [], end = []] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  const between = Array.from<string>({ length: 8 - start.length - end.length }).fill('0')
  return [...start, ...between, ...end].slice(0, 4).join(':')
}

/**
 * Where this service is, for links that somebody else will follow: never at a name that a stranger asks for, who would be
 * sent what the link is good for.
 */
export function ownAddress(request: IncomingMessage, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl
  if (namesLoopback(request)) return `http://${request.headers.host}`
  const { localAddress, localPort } = request.socket
  const address = plain(localAddress)
  return `http://${isIPv6(address) ? `[${address}]` : address}:${localPort}`
}

// IPv4 on a socket that speaks both.
function plain(address = ''): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '')
}
