import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { contrast } from '../../../src/domain/branding/contrast.js'
import { newOperator } from '../../support/operator.js'
import { asVisitor } from '../../support/person.js'
import { serviceOnNewDatabase } from '../../support/round-trip.js'

// The branding is the forwarder's, for all accounts: other test files share a database.
const service = await serviceOnNewDatabase('branding')
const { ops } = await newOperator(service, 'admin')
const set = (body: { color?: string; dark_color?: string; logo?: string }) => ops('setBranding', undefined, { body })
const options = async () => (await asVisitor(service, 'getSignInOptions')).body

/** A PNG without checksums, which nothing here reads. */
function png(width: number, height: number): string {
  const head = Buffer.alloc(33)
  head.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])
  head.write('IHDR', 12)
  head.writeUInt32BE(width, 16)
  head.writeUInt32BE(height, 20)
  return Buffer.concat([head, deflateSync('pixels')]).toString('base64')
}

test('colours and logo are shown to visitors, readable in both themes, until they are removed', async () => {
  const branding = { color: '#7a1fa2', logo: png(120, 40) }
  expect((await set({ ...branding, color: '#7A1FA2' })).body).toEqual(branding)
  expect((await ops('getBranding', undefined)).body).toEqual(branding)
  const { colors, logo } = await options()
  expect(logo).toBe(branding.logo)
  expect(colors?.light.accent).toBe('#7a1fa2')
  for (const [theme, ground] of [
    ['light', '#eef2f5'],
    ['dark', '#182c3f'],
  ] as const) {
    const { accent = '', strong = '', soft = '', on = '' } = colors?.[theme] ?? {}
    expect(contrast(accent, ground)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(strong, soft)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(on, accent)).toBeGreaterThanOrEqual(4.5)
  }
  expect((await set({})).body).toEqual({})
  expect(await options()).toEqual({ demo: false, forwarder_name: 'Waybill', offers_tracking: false, sends_mail: true })
})

test('a colour that cannot be read and a file that is no small PNG are refused, naming the field', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>').toString('base64')
  const faulty = [
    ['/color', { color: '#ffd700' }],
    ['/dark_color', { color: '#7a1fa2', dark_color: '#33204a' }],
    ['/color', { dark_color: '#d9b3ff' }],
    ['/color', { color: 'red' }],
    ['/logo', { logo: svg }],
    ['/logo', { logo: png(5000, 10) }],
    ['/logo', { logo: png(0, 10) }],
    ['/logo', { logo: 'data:image/png;base64,' }],
  ] as const
  for (const [pointer, body] of faulty) {
    const refused = await set(body)
    expect(refused, JSON.stringify(body)).toBeRefused('invalid_request')
    expect(JSON.stringify(refused.body)).toContain(`"${pointer}"`)
  }
  expect((await ops('getBranding', undefined)).body).toEqual({})
})
