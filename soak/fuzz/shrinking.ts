import { absent, isPlainObject, placesIn, replaced, valueAt } from './json-text.js'
import type { Body, Request } from './request.js'

const mostTries = 150

/** Minimizes a request: leaves out parts while it still fails in the same way. */
export async function shrink(request: Request, failsTheSame: (smaller: Request) => Promise<boolean>): Promise<Request> {
  let least = request
  let tries = 0
  for (let isSmaller = true; isSmaller && tries < mostTries; ) {
    isSmaller = false
    for (const candidate of smallerThan(least)) {
      tries += 1
      if (tries > mostTries) break
      if (!(await failsTheSame(candidate))) continue
      least = candidate
      isSmaller = true
      break
    }
  }
  return least
}

const givenNames = new Set(['reference', 'svc_shipment_id', 'slug', 'event_id', 'payment_id'])

/** The request with other identifiers for what it creates, and another idempotency key. */
export function renamed(request: Request, number: number): Request {
  const headers = request.headers.map(([name, value]): [string, string] =>
    name === 'idempotency-key' ? [name, `${value.slice(0, 200)}-${number}`] : [name, value],
  )
  const { body } = request
  if (body?.is !== 'json' || !isPlainObject(body.value)) return { ...request, headers }
  const fields = Object.entries(body.value).map(([name, value]) => [
    name,
    givenNames.has(name) && typeof value === 'string' ? `${value.slice(0, 40)}-${number}` : value,
  ])
  return { ...request, headers, body: { is: 'json', value: Object.fromEntries(fields) } }
}

function* smallerThan(request: Request): Generator<Request> {
  const { query, headers, body } = request
  for (const index of query.keys()) yield { ...request, query: query.toSpliced(index, 1) }
  for (const index of headers.keys()) yield { ...request, headers: headers.toSpliced(index, 1) }
  if (!body) return
  for (const smaller of smallerBodies(body)) yield { ...request, body: smaller }
}

function* smallerBodies(body: Body): Generator<Body> {
  switch (body.is) {
    case 'json':
      for (const value of smallerValues(body.value)) yield { ...body, value }
      return
    case 'lines':
      for (const index of body.lines.keys()) {
        if (body.lines.length > 1) yield { ...body, lines: body.lines.toSpliced(index, 1) }
        for (const line of smallerValues(body.lines[index])) yield { ...body, lines: body.lines.with(index, line) }
      }
      return
    case 'form':
      for (const index of body.parts.keys()) yield { ...body, parts: body.parts.toSpliced(index, 1) }
      return
    case 'bytes':
      for (const part of [2, 4]) {
        const bytes = body.bytes.subarray(0, body.bytes.length - Math.ceil(body.bytes.length / part))
        if (bytes.length < body.bytes.length) yield { is: 'bytes', bytes }
      }
  }
}

/** Smaller variants of a value: without a part, or with a shorter one; parts near the root first. */
function* smallerValues(value: unknown): Generator {
  const places = placesIn(value).toSorted((one, other) => one.length - other.length)
  for (const path of places) if (path.length > 0) yield replaced(value, path, absent)
  for (const path of places) {
    const smaller = shorter(valueAt(value, path))
    if (smaller !== undefined) yield replaced(value, path, smaller)
  }
}

function shorter(value: unknown): unknown {
  if (typeof value === 'string' && value.length > 8) return value.slice(0, Math.floor(value.length / 2))
  if (Array.isArray(value) && value.length > 1) return value.slice(0, Math.floor(value.length / 2))
  return isPlainObject(value) && Object.keys(value).length > 8 ? {} : undefined
}
