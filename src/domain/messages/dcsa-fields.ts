import { type EventTime, readTime } from './event-time.js'

/** Reads the fields of an event, and says which of them is wrong. */

export type Json = Record<string, unknown>

export class DcsaFault extends Error {}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function objectIn(fields: Json, name: string): Json {
  const value = fields[name] ?? {}
  if (!isObject(value)) throw new DcsaFault(`${name} must be an object`)
  return value
}

/** The first of the fields that has a text. Characters that cannot be shown are left out. */
export function textIn(fields: Json, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = fields[name]
    if (typeof value !== 'string' && typeof value !== 'number') continue
    const text = String(value)
      .toWellFormed()
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim()
    if (text !== '') return text
  }
  return undefined
}

export function required(fields: Json, ...names: string[]): string {
  const text = textIn(fields, ...names)
  if (text === undefined) throw new DcsaFault(`${names[0]} is required`)
  return text.toUpperCase()
}

export function timeIn(fields: Json, zone: string | undefined, ...names: string[]): EventTime | undefined {
  for (const name of names) {
    const text = textIn(fields, name)
    if (text === undefined) continue
    const time = readTime(text, zone)
    if (time === undefined) throw new DcsaFault(`${name} is ${quoted(text)}: it must be a date with time and offset`)
    return time
  }
  return undefined
}

export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text)
}

/** What may be left out, but is nothing else. */
export function flagIn(fields: Json, name: string): boolean {
  const value = fields[name] ?? false
  if (typeof value !== 'boolean') throw new DcsaFault(`${name} must be true or false`)
  return value
}
