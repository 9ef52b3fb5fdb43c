import { expect, test } from 'vitest'
import { ResponseCache } from '../../../src/api/cache/response-cache.js'

const responseOf = (text: string) => ({ etag: `W/"${text.slice(0, 8)}"`, body: Buffer.from(text) })
const textOf = (name: number | string, length: number) => `${name} `.padEnd(length, String(name))

test('a lookup returns the latest response stored under its key, whatever is evicted meanwhile', () => {
  const cache = new ResponseCache(100_000)
  const latest = new Map<string, string>()
  let found = 0
  for (let step = 0; step < 20_000; step += 1) {
    const url = `/${(step * 7919) % 101}`
    if (step % 3 === 0) {
      const text = textOf(step, 20 + ((step * 31) % 3000))
      latest.set(url, text)
      cache.store('key', url, responseOf(text))
      continue
    }
    const response = cache.find('key', url)
    if (!response) continue
    found += 1
    expect(response.body.toString()).toBe(latest.get(url))
  }
  expect(found).toBeGreaterThan(500)
})

test('used responses stay in the cache, unused ones are evicted', () => {
  const cache = new ResponseCache(100_000)
  cache.store('key', '/hot', responseOf(textOf('hot', 1000)))
  cache.store('key', '/never-asked-for', responseOf(textOf('cold', 1000)))
  for (let number = 0; number < 1000; number += 1) {
    cache.store('key', `/${number}`, responseOf(textOf(number, 1000)))
    expect(cache.find('key', '/hot')?.body.toString()).toBe(textOf('hot', 1000))
  }
  expect(cache.find('key', '/never-asked-for')).toBeUndefined()
  const left = Array.from({ length: 1000 }, (_, number) => cache.find('key', `/${number}`)).filter(Boolean)
  expect(left.length).toBeGreaterThan(30)
  expect(left.length).toBeLessThan(100)
})

test('bytes still being sent to a client are never overwritten', () => {
  const cache = new ResponseCache(50_000)
  cache.store('key', '/sent', { ...responseOf(textOf('sent', 2000)), gzipped: Buffer.from('compressed') })
  const sent = cache.find('key', '/sent')
  for (let number = 0; number < 500; number += 1) cache.store('key', `/${number}`, responseOf(textOf(number, 2000)))
  expect(cache.find('key', '/sent')).toBeUndefined()
  expect(sent?.body.toString()).toBe(textOf('sent', 2000))
  expect(sent?.gzipped?.toString()).toBe('compressed')
})

test('a response larger than a tenth of the cache is not stored, and a cache of size 0 stores nothing', () => {
  const cache = new ResponseCache(50_000)
  cache.store('key', '/large', responseOf(textOf('large', 5000)))
  cache.store('key', '/fits', responseOf(textOf('fits', 4000)))
  expect(cache.find('key', '/large')).toBeUndefined()
  expect(cache.find('key', '/fits')).toBeDefined()
  const none = new ResponseCache(0)
  none.store('key', '/', responseOf('x'))
  expect(none.find('key', '/')).toBeUndefined()
})

test('what is held by keys counts, and empty responses do not fill the cache without end', () => {
  const cache = new ResponseCache(1_000_000)
  for (let number = 0; number < 5000; number += 1) {
    cache.store('key', `/${textOf(number, 5000)}`, responseOf('[]'))
    expect(cache.statistics().bytes).toBeLessThan(1_250_000)
  }
  const { responses, bytes } = cache.statistics()
  expect(bytes).toBeGreaterThan(responses * 5000)
  expect(responses).toBeLessThan(250)
})
