/** JSON that no serializer produces: numbers of any length, duplicate names, invalid tokens. */
export class Verbatim {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export function writeJson(value: unknown): string {
  if (value instanceof Verbatim) return value.text
  if (Array.isArray(value)) return `[${value.map((item) => writeJson(item)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}:${writeJson(field)}`)
  return `{${fields.join(',')}}`
}

/** An identifier as a path parameter: numbers become text. */
export function nameOf(value: unknown): string {
  return String(value)
}

/** A copy of the object with another field, which may be called `__proto__`. */
export function withField(object: object, name: string, value: unknown): object {
  const copy = { ...object }
  Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true })
  return copy
}

export type Step = string | number

/** The paths of all parts of a value, its own first. */
export function placesIn(value: unknown, path: Step[] = []): Step[][] {
  const parts = isPlainObject(value) || Array.isArray(value) ? Object.keys(value) : []
  const steps = Array.isArray(value) ? parts.map(Number) : parts
  return [path, ...steps.flatMap((step) => placesIn((value as Record<Step, unknown>)[step], [...path, step]))]
}

export function valueAt(value: unknown, path: Step[]): unknown {
  return path.reduce<unknown>((node, step) => (node as Record<Step, unknown> | undefined)?.[step], value)
}

export const absent = Symbol('absent')

/** A copy with another value at a path, or without it. */
export function replaced(value: unknown, [step, ...rest]: Step[], by: unknown): unknown {
  if (step === undefined) return by
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => {
      if (index !== step) return [item]
      const changed = replaced(item, rest, by)
      return changed === absent ? [] : [changed]
    })
  }
  const changed = replaced((value as Record<Step, unknown>)[step], rest, by)
  if (changed !== absent) return withField(value as object, String(step), changed)
  return Object.fromEntries(Object.entries(value as object).filter(([name]) => name !== String(step)))
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Verbatim)
}
