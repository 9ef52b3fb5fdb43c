import type { Access, HostileRequest } from './target.js'
import { statusOf } from './target.js'

/** Hostile query strings, for a route of every kind: the router parses the query before anything else. */

const queries: [name: string, status: number, query: string][] = [
  ['one name 7,800 times', 431, 'a&'.repeat(7800)],
  ['one name 3,900 times', 400, 'a&'.repeat(3900)],
  ['one name 3,900 times with values', 431, 'a=1&'.repeat(3900)],
  ['7,800 empty pairs', 400, '&'.repeat(7800)],
  ['1,200 names', 400, Array.from({ length: 1200 }, (_, index) => `a${index}`).join('&')],
  ['an encoded name of 8 KB', 400, `${'%F0%9F%9A%A2'.repeat(660)}&${'x&'.repeat(60)}`],
  ['invalid encoding', 400, '%'.repeat(8000)],
]

const routes: [path: string, access: Access][] = [
  ['/health/live', 'anyone'],
  ['/health/ready', 'anyone'],
  ['/metrics', 'anyone'],
  ['/openapi.json', 'anyone'],
  ['/docs/', 'anyone'],
  ['/errors/', 'anyone'],
  ['/sign-in', 'anyone'],
  ['/documents/none', 'anyone'],
  ['/portal/v1/sign-in', 'anyone'],
  ['/portal/v1/shipments', 'person'],
  ['/v1/shipments', 'anyone'],
  ['/v1/shipments', 'customer'],
  ['/v1/documents', 'customer'],
  ['/ops/v1/accounts', 'operator'],
]

export const hostileQueries: HostileRequest[] = [
  ...routes.flatMap(([path, access]) =>
    queries.map(([name, status, query]) => ({
      name: `GET ${path} (${access}): ${name}`,
      status,
      send: (target: Parameters<HostileRequest['send']>[0]) => statusOf(target, access, { target: `${path}?${query}` }),
    })),
  ),
  {
    name: 'GET /portal/v1/search (person): 1,000 words',
    status: 400,
    send: (target) => statusOf(target, 'person', { target: `/portal/v1/search?q=${'word+'.repeat(1000)}` }),
  },
  {
    name: 'GET /v1/purchaseOrders/{reference} (customer): an identifier of 15 KB',
    status: 400,
    send: (target) => statusOf(target, 'customer', { target: `/v1/purchaseOrders/${'%61'.repeat(5000)}` }),
  },
  {
    name: 'GET /none (anyone): one name 7,800 times',
    status: 404,
    send: (target) => statusOf(target, 'anyone', { target: `/none?${'a&'.repeat(7800)}` }),
  },
  {
    name: 'GET a path of 7,000 segments (anyone)',
    status: 404,
    send: (target) => statusOf(target, 'anyone', { target: '/a'.repeat(7000) }),
  },
]
