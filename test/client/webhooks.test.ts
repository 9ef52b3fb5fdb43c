import { expect, test } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from '../../src/client/webhooks.js'

// The example of the Standard Webhooks specification.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const body = '{"test": 2432232314}'
const headers = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}
const now = 1_614_265_330_000
const other = `whsec_${btoa('another secret of an endpoint')}`

test('a webhook with a valid signature is returned, from text or bytes, and while a secret is replaced', async () => {
  expect(await verifyWebhook(body, headers, { secret, now })).toEqual({ test: 2_432_232_314 })
  const bytes = new TextEncoder().encode(body)
  expect(await verifyWebhook(bytes, new Headers(headers), { secret: [other, secret], now })).toHaveProperty('test')
  const several = { ...headers, 'webhook-signature': `v1a,xyz v1,AAAA ${headers['webhook-signature']}` }
  expect(await verifyWebhook(body, several, { secret, now })).toHaveProperty('test')
  const node = { 'Webhook-Id': headers['webhook-id'], ...headers }
  expect(await verifyWebhook(body, node, { secret, now: now + 299_000 })).toHaveProperty('test')
})

test.each([
  ['another body', { body: '{"test": 2432232315}' }],
  ['another secret', { secret: other }],
  ['no secret', { secret: 'whsec_' }],
  ['a secret that is not base64', { secret: 'whsec_***' }],
  ['another id', { headers: { ...headers, 'webhook-id': 'msg_2' } }],
  ['another timestamp', { headers: { ...headers, 'webhook-timestamp': '1614265331' } }],
  ['a timestamp that is no number', { headers: { ...headers, 'webhook-timestamp': '1614265330.0' } }],
  ['a missing header', { headers: { ...headers, 'webhook-signature': undefined } }],
  [
    'a signature of another version',
    { headers: { ...headers, 'webhook-signature': 'v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=' } },
  ],
  ['a signature that is not base64', { headers: { ...headers, 'webhook-signature': 'v1,***' } }],
  ['an old message', { now: now + 301_000 }],
  ['a message from the future', { now: now - 301_000 }],
])('a webhook with %s is refused', async (_, change) => {
  const given = { body, headers, secret, now, ...change }
  await expect(verifyWebhook(given.body, given.headers, given)).rejects.toBeInstanceOf(WebhookVerificationError)
})
