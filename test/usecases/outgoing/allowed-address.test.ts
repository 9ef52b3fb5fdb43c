import { expect, test } from 'vitest'
import { faultOfAddress } from '../../../src/usecases/outgoing/allowed-address.js'

const setting = 'WAYBILL_FEED_PRIVATE_ADDRESSES'
const never = ['0.0.0.0', '0.0.0.1', '169.254.169.254', '224.0.0.1', '255.255.255.255', '::', '::127.0.0.1', '::7f00:1']
const translated = ['64:ff9b::7f00:1', '2002:7f00:1::', 'fe80::1', 'ff02::1', '::ffff:169.254.169.254', 'name']
const ofClouds = ['100.100.100.200', 'fd00:ec2::254', 'fd00:0ec2:0:0::254', '::ffff:100.100.100.200']
const ofOwnNetwork = [
  '127.0.0.1',
  '10.1.2.3',
  '172.31.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '100.100.100.201',
  '::1',
  'fd00::1',
  'fd00:ec2::253',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
]
const ofReceivers = ['8.8.8.8', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8']

test('addresses that are never of a receiver are refused with every setting', () => {
  for (const address of [...never, ...translated, ...ofClouds])
    for (const allowsPrivate of [true, false])
      expect(faultOfAddress(address, { allowsPrivate, isEncrypted: true, setting }), address).toBeDefined()
})

test('private addresses are allowed by the setting only, and public ones by https:// only', () => {
  for (const address of ofOwnNetwork) {
    expect(faultOfAddress(address, { allowsPrivate: false, isEncrypted: true, setting }), address).toBeDefined()
    expect(faultOfAddress(address, { allowsPrivate: true, isEncrypted: false, setting }), address).toBeUndefined()
  }
  for (const address of ofReceivers) {
    expect(faultOfAddress(address, { allowsPrivate: false, isEncrypted: true, setting }), address).toBeUndefined()
    expect(faultOfAddress(address, { allowsPrivate: true, isEncrypted: false, setting }), address).toBeDefined()
  }
})
