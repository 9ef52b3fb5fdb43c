import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientAddress, networkOf } from '../../../src/api/transport/client-address.js'
import { findNetworks } from '../../../src/cli/networks.js'

const proxies = findNetworks('10.0.0.5, 192.168.0.0/16, fd00::/8')
const none = findNetworks('')

function addressOf(remoteAddress: string, forwarded?: string, trusted = proxies) {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return trusted && clientAddress({ socket: { remoteAddress }, headers } as unknown as IncomingMessage, trusted)
}

test.each([
  ['a trusted proxy', '10.0.0.5', '203.0.113.7', '203.0.113.7'],
  ['a proxy in a trusted network', '192.168.3.4', '203.0.113.7', '203.0.113.7'],
  ['a proxy on a dual-stack socket', '::ffff:10.0.0.5', '203.0.113.7', '203.0.113.7'],
  ['a proxy with an IPv6 address', 'fd12::1', '2001:db8::7', '2001:db8::7'],
  ['a chain of trusted proxies', '10.0.0.5', '203.0.113.7, 192.168.1.1', '203.0.113.7'],
  ['a client that forges the start of the header', '10.0.0.5', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['a client that poses as a chain', '10.0.0.5', '192.168.1.1, 203.0.113.7', '203.0.113.7'],
])('X-Forwarded-For counts from %s', (_, direct, forwarded, expected) => {
  expect(addressOf(direct, forwarded)).toBe(expected)
})

test.each([
  ['an unlisted private address', '10.0.0.6', '203.0.113.7'],
  ['the loopback address', '127.0.0.1', '203.0.113.7'],
  ['a public address', '203.0.113.9', '203.0.113.7'],
])('X-Forwarded-For does not count from %s', (_, direct, forwarded) => {
  expect(addressOf(direct, forwarded)).toBe(direct)
})

test.each([
  '',
  ',',
  'unknown',
  '203.0.113.7:4711',
  '[2001:db8::7]',
  "1.2.3.4'; --",
  ':::::::',
  '203.0.113.7,',
  '999.1.1.1',
])('what is not an address does not count, though a trusted proxy sends it: %j', (forwarded) => {
  expect(addressOf('10.0.0.5', forwarded)).toBe('10.0.0.5')
})

test('without trusted proxies nothing counts but the connection', () => {
  expect(addressOf('127.0.0.1', '203.0.113.7', none)).toBe('127.0.0.1')
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
