import { randomUUID } from 'node:crypto'
import { sendBytes } from '../raw-http.js'
import { type HostileRequest, statusOf, statusOfBody } from './target.js'

/** Hostile request lines and headers. */

const ordinary = { target: '/v1/locations' }

function withHeader(name: string, value: string): { target: string; headers: [string, string][] } {
  return { ...ordinary, headers: [[name, value]] }
}

const bare = (line: string) => async (target: { baseUrl: string }) =>
  (await sendBytes(target.baseUrl, Buffer.from(`${line}\r\nHost: x\r\nConnection: close\r\n\r\n`))).status

export const hostileHeads: HostileRequest[] = [
  {
    name: 'a request line with HTTP/2.0',
    status: 400,
    send: bare('GET /health/live HTTP/2.0'),
  },
  {
    name: 'two Host headers',
    status: 400,
    send: (target) => statusOf(target, 'customer', withHeader('Host', 'other.example')),
  },
  {
    name: 'two Authorization headers',
    status: 400,
    send: (target) => statusOf(target, 'customer', withHeader('authorization', `Bearer ${target.key}`)),
  },
  {
    name: 'an Authorization header with 15,000 quotes',
    status: 401,
    send: (target) => statusOf(target, 'anyone', withHeader('Authorization', `Bearer ${"'".repeat(15_000)}x`)),
  },
  {
    name: 'an Authorization header with 15,000 blanks',
    status: 401,
    send: (target) => statusOf(target, 'anyone', withHeader('Authorization', `Bearer x${' '.repeat(15_000)}x`)),
  },
  {
    name: 'a Cookie header with 5,000 cookies',
    status: 401,
    send: (target) => statusOf(target, 'anyone', withHeader('Cookie', 'a=;'.repeat(5000))),
  },
  {
    name: 'an If-None-Match header with 5,000 tags',
    status: 200,
    send: (target) => statusOf(target, 'customer', withHeader('If-None-Match', '"",'.repeat(5000))),
  },
  {
    name: 'an Accept-Encoding header with 3,000 encodings',
    status: 200,
    send: (target) => statusOf(target, 'customer', withHeader('Accept-Encoding', 'gzip;'.repeat(3000))),
  },
  {
    name: 'an Accept header of 15 KB',
    status: 404,
    send: (target) =>
      statusOf(target, 'anyone', { target: '/none', headers: [['Accept', 'text/html;q=0,'.repeat(1000)]] }),
  },
  {
    name: 'a Content-Type header with 15,000 parameters',
    status: 415,
    send: (target) =>
      statusOf(target, 'customer', {
        method: 'POST',
        target: '/v1/purchaseOrders',
        headers: [['Content-Type', `application/xml${'; '.repeat(7000)}x`]],
        body: '{}',
      }),
  },
  {
    name: 'an X-Forwarded-For header with 15,000 commas',
    status: 401,
    send: (target) =>
      statusOf(target, 'anyone', {
        method: 'POST',
        target: '/portal/v1/session',
        headers: [
          ['Content-Type', 'application/json'],
          ['X-Forwarded-For', `${','.repeat(15_000)}2001:db8:0:${Math.floor(Math.random() * 60_000).toString(16)}::1`],
        ],
        body: JSON.stringify({ email: `${randomUUID()}@example.com`, password: 'a guess of it' }),
      }),
  },
  {
    name: 'a password of 16 KB',
    status: 400,
    send: (target) =>
      statusOfBody(target, 'anyone', {
        path: '/portal/v1/session',
        body: JSON.stringify({ email: 'kim@example.com', password: 'x'.repeat(16_000) }),
      }),
  },
]
