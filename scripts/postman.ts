import type { OpenApiDocument } from '../src/contract/openapi.js'

/** A Postman collection (v2.1) of an interface: a folder for each tag, a request for each operation, with its example. */

type Parameter = {
  $ref?: string
  name: string
  in: string
  description?: string
  required?: boolean
  example?: string | number
}
type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters: Parameter[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}
type Document = OpenApiDocument & {
  info: { description: string }
  tags: { name: string; description: string }[]
  components: { parameters: Record<string, Parameter> }
}

export function postmanCollection(described: OpenApiDocument): object {
  const document = described as Document
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({ path, method, operation })),
  )
  return {
    info: {
      name: document.info.title,
      description: document.info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
    variable: [
      { key: 'address', value: 'http://127.0.0.1:4010', type: 'string' },
      { key: 'key', value: '', type: 'string' },
    ],
    item: document.tags.map(({ name, description }) => ({
      name,
      description,
      item: all
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ path, method, operation }) => requestOf(document, path, method, operation)),
    })),
  }
}

function requestOf({ components }: Document, path: string, method: string, operation: Operation): object {
  const parameters = operation.parameters.map((each) =>
    each.$ref ? (components.parameters[each.$ref.split('/').at(-1) ?? ''] as Parameter) : each,
  )
  const entry = ({ name, description = '', example }: Parameter) => ({
    key: name,
    value: example === undefined ? '' : String(example),
    description,
  })
  const inPath = parameters.filter((each) => each.in === 'path').map(entry)
  // Optional ones are switched off: their presence would mean something.
  const query = parameters
    .filter((each) => each.in === 'query')
    .map((each) => ({ ...entry(each), disabled: each.required !== true }))
  const [[type, content] = []] = Object.entries(operation.requestBody?.content ?? {})
  const segments = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1')
  return {
    name: operation.summary,
    request: {
      method: method.toUpperCase(),
      description: operation.description,
      header: [
        ...(type === undefined || type === 'multipart/form-data' ? [] : [{ key: 'Content-Type', value: type }]),
        ...parameters
          .filter((each) => each.in === 'header')
          .map((each) => ({ ...entry(each), disabled: each.required !== true })),
      ],
      url: {
        raw: `{{address}}/${segments}`,
        host: ['{{address}}'],
        path: segments.split('/'),
        ...(query.length > 0 && { query }),
        ...(inPath.length > 0 && { variable: inPath }),
      },
      ...(content && { body: bodyOf(type ?? '', content.example) }),
    },
    response: [],
  }
}

function bodyOf(type: string, example: unknown): object {
  if (type === 'multipart/form-data') {
    const fields = Object.entries((example ?? {}) as Record<string, unknown>)
    return {
      mode: 'formdata',
      formdata: fields.map(([key, value]) =>
        key === 'file' ? { key, type: 'file', src: null } : { key, type: 'text', value: String(value) },
      ),
    }
  }
  const raw = typeof example === 'string' ? example : JSON.stringify(example ?? {}, null, 2)
  return { mode: 'raw', raw, options: { raw: { language: type === 'application/json' ? 'json' : 'text' } } }
}
