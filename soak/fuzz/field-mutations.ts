import type { Random } from '../../src/sandbox/random.js'
import type { Schema } from './description.js'
import {
  anyValue,
  brokenToken,
  deepValue,
  type HostileValue,
  hostileDate,
  hostileNumber,
  hostileText,
  prototypeNames,
} from './hostile-values.js'
import {
  absent,
  isPlainObject,
  placesIn,
  replaced,
  type Step,
  Verbatim,
  valueAt,
  withField,
  writeJson,
} from './json-text.js'
import { type Given, withKind } from './mutation.js'
import type { Body, FormPart, Request } from './request.js'
import { otherContents, sheetWith } from './sample-files.js'

/** Replaces one field of a body, at any depth. */
export function fieldMutation(request: Request, given: Given): Request | undefined {
  const { body, operation } = request
  if (!body || body.is === 'bytes') return undefined
  if ((body.is === 'form' && body.parts.length === 0) || (body.is === 'lines' && body.lines.length === 0))
    return undefined
  const { kind, body: bent } = bentBody(body, operation.body?.schema ?? {}, given.random, operation.name)
  return withKind(request, `field: ${kind}`, { body: bent })
}

type Bent = { kind: string; body: Body }

function bentBody(body: Exclude<Body, { is: 'bytes' }>, schema: Schema, random: Random, operation: string): Bent {
  if (body.is === 'form') return bentForm(body.parts, random, operation)
  if (body.is === 'json') {
    const { kind, value } = bentValue(body.value, schema, random)
    return { kind, body: { is: 'json', value } }
  }
  const index = random.integer(0, body.lines.length - 1)
  const { kind, value } = bentValue(body.lines[index], {}, random)
  // The account of an import line stays: other accounts must not change.
  const isOurs = isPlainObject(value) && value.account === (body.lines[index] as { account?: string }).account
  return { kind, body: { is: 'lines', lines: isOurs ? body.lines.with(index, value) : body.lines } }
}

function bentValue(value: unknown, schema: Schema, random: Random): HostileValue {
  const path = random.pick(placesIn(value))
  const { kind, value: by } = hostileFor(valueAt(value, path), schemaAt(schema, path), random, path.length === 0)
  return { kind, value: replaced(value, path, by) }
}

function hostileFor(present: unknown, schema: Schema | undefined, random: Random, isWhole: boolean): HostileValue {
  const anywhere = random.weighted<(() => HostileValue) | undefined>([
    [undefined, 70],
    [() => anyValue(random), 12],
    [() => (isWhole ? anyValue(random) : { kind: 'missing', value: absent }), 10],
    [() => brokenToken(random), 2],
    [() => deepValue(random), 3],
  ])
  if (anywhere) return anywhere()
  if (typeof present === 'string') return hostileString(schema, random)
  if (typeof present === 'number') return hostileSize(schema, random)
  if (Array.isArray(present)) return hostileArray(present, random)
  if (isPlainObject(present)) return hostileObject(present, random)
  return anyValue(random)
}

function hostileString(schema: Schema | undefined, random: Random): HostileValue {
  const { format, minLength = 0, maxLength } = schema ?? {}
  if ((format === 'date' || format === 'date-time') && random.chance(0.8)) return hostileDate(random, format)
  if (random.chance(0.25) && maxLength !== undefined) {
    const length = random.pick([minLength, minLength - 1, maxLength, maxLength + 1, maxLength * 4])
    const unit = random.pick(['x', 'é', '🚢', ' ', '船'])
    return { kind: 'limit', value: unit.repeat(Math.max(length, 0)) }
  }
  return hostileText(random)
}

function hostileSize(schema: Schema | undefined, random: Random): HostileValue {
  const limits = [schema?.minimum, schema?.maximum, schema?.exclusiveMinimum].flatMap((limit) => limit ?? [])
  if (limits.length === 0 || random.chance(0.6)) return hostileNumber(random)
  const limit = random.pick(limits)
  return { kind: 'limit', value: limit + random.pick([0, 1, -1, 1e-9, -1e-9, 0.5]) }
}

function hostileArray(items: unknown[], random: Random): HostileValue {
  const [first] = items
  const how = random.pick(['empty', 'twice', 'many', 'huge', 'sparse'] as const)
  switch (how) {
    case 'empty':
      return { kind: 'array', value: [] }
    case 'twice':
      return { kind: 'duplicate', value: [...items, ...items] }
    case 'many':
      return { kind: 'array', value: Array.from({ length: random.pick([7, 101, 300]) }, () => first ?? null) }
    case 'huge': {
      const text = writeJson(first ?? null)
      const length = Math.min(
        100_000,
        Math.floor(
          random.weighted([
            [100_000, 3],
            [400_000, 2],
            [4_400_000, 1],
          ]) /
            (text.length + 1),
        ),
      )
      return { kind: 'huge array', value: new Verbatim(`[${`${text},`.repeat(Math.max(length, 1) - 1)}${text}]`) }
    }
    case 'sparse':
      return { kind: 'array', value: [null, ...items, [], {}] }
  }
}

function hostileObject(object: object, random: Random): HostileValue {
  const [name = 'a'] = Object.keys(object)
  const how = random.pick(['empty', 'unknown', 'prototype', 'prototype', 'twice', 'many'] as const)
  switch (how) {
    case 'empty':
      return { kind: 'missing', value: {} }
    case 'unknown':
      return {
        kind: 'unknown field',
        value: withField(object, random.pick(['no_such_field', '', 'a/b~c', 'ключ', '\0']), 1),
      }
    case 'prototype':
      return {
        kind: 'prototype',
        value: withField(object, random.pick(prototypeNames), random.pick<unknown>([1, { polluted: true }, null])),
      }
    case 'twice':
      return {
        kind: 'duplicate',
        value: new Verbatim(`{${JSON.stringify(name)}:"first",${writeJson(object).slice(1)}`),
      }
    case 'many': {
      const fields = Array.from({ length: 5000 }, (_, index) => `"f${index}":${index}`)
      return { kind: 'unknown field', value: new Verbatim(`{${fields.join(',')}}`) }
    }
  }
}

const fileNames = ['', '.', '..', '../../x.pdf', 'C:\\x.pdf', 'a\0.pdf', '.pdf', 'x.pdf.exe', 'x.html', 'con.txt']

function bentForm(parts: FormPart[], random: Random, operation: string): Bent {
  const index = random.integer(0, parts.length - 1)
  const part = parts[index] as FormPart
  const form = (kind: string, changed: FormPart[], isOpenEnded = false): Bent => ({
    kind,
    body: { is: 'form', parts: changed, isOpenEnded },
  })
  const { kind, value } = hostileText(random)
  const text = String(value)
  const how = random.pick(['content', 'content', 'name', 'twice', 'less', 'unknown', 'head', 'cut'] as const)
  switch (how) {
    case 'content': {
      if (part.filename === undefined) return form(kind, parts.with(index, { ...part, content: text }))
      const isSheet = operation.startsWith('portal.') && random.chance(0.7)
      const content = isSheet ? sheetWith(text, random) : random.pick(Object.values(otherContents))
      return form('file', parts.with(index, { ...part, content }))
    }
    case 'name':
      if (part.filename === undefined) return form('unknown field', parts.with(index, { ...part, name: text }))
      return form(
        'file name',
        parts.with(index, { ...part, filename: random.chance(0.4) ? random.pick(fileNames) : `${text}.pdf` }),
      )
    case 'twice':
      return form('duplicate', [...parts, part])
    case 'less':
      return form('missing', parts.toSpliced(index, 1))
    case 'unknown':
      return form('unknown field', [
        { name: random.pick([...prototypeNames, 'no_such_field']), content: text },
        ...parts,
      ])
    case 'head': {
      const head = random.pick([
        'Content-Disposition: form-data',
        'Content-Disposition: attachment; filename="x"',
        `Content-Disposition: form-data; name="file"; filename*=UTF-8''%e2%82%ac.pdf`,
        'Content-Disposition: form-data; name="type"\r\nContent-Type: application/json',
        'Content-Disposition: form-data; name="type"\r\nContent-Transfer-Encoding: base64',
        `Content-Disposition: form-data; name="${'n'.repeat(500)}"`,
        `X: ${'h'.repeat(20_000)}`,
        '',
      ])
      return form('head of a part', parts.with(index, { ...part, head }))
    }
    case 'cut':
      return form('cut short', parts, true)
  }
}

/** The schema at a path, if the description has one. */
function schemaAt(schema: Schema | undefined, [step, ...rest]: Step[]): Schema | undefined {
  if (step === undefined || !schema) return schema
  const branches = schema.anyOf ?? [schema]
  const next = branches.map((branch) => (typeof step === 'number' ? branch.items : branch.properties?.[step]))
  return schemaAt(
    next.find((each) => each !== undefined),
    rest,
  )
}
