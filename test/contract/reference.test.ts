import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Node = {
  $ref?: string
  description?: string
  enum?: string[]
  'x-enumDescriptions'?: Record<string, string>
  properties?: Record<string, Node>
  items?: Node
  anyOf?: Node[]
}
type Field = { $ref?: string; name: string; in: string; description?: string; schema: Node }
type Content = Record<string, { schema: Node }>
type Response = { $ref?: string; headers?: Record<string, Field>; content?: Content }
type Operation = {
  operationId: string
  summary?: string
  description?: string
  parameters: Field[]
  requestBody?: { content: Content }
  responses: Record<string, Response>
}
type Reference = {
  paths: Record<string, Record<string, Operation>>
  components: Record<'schemas' | 'headers' | 'parameters' | 'responses', Record<string, unknown>>
}

// The codes say it themselves: ISO 4217.
const selfExplanatory = ['EUR', 'USD', 'CNY']
// What a date is, and not what it means.
const meaningless = /^(?:Date and time with UTC offset|Calendar date)/

/** What the reference leaves unexplained, by its place. */
function unexplainedIn({ paths, components }: Reference): string[] {
  const found = new Set<string>()
  function target<Part extends { $ref?: string }>(part: Part): Part {
    const [, , section, name] = part.$ref?.split('/') ?? []
    return section ? (components[section as 'schemas'][name ?? ''] as Part) : part
  }
  function explains(text: string | undefined): boolean {
    return text !== undefined && text.length > 3 && !meaningless.test(text)
  }
  function visit(node: Node, place: string): void {
    const { enum: values = [], 'x-enumDescriptions': meanings = {}, properties = {}, items, anyOf = [] } = node
    const isCurrency = selfExplanatory.every((code) => values.includes(code))
    for (const value of values) if (!isCurrency && !explains(meanings[value])) found.add(`${place}: ${value}`)
    for (const [name, property] of Object.entries(properties)) {
      if (!explains(property.description)) found.add(`${place}.${name}`)
      visit(property, `${place}.${name}`)
    }
    if (items) visit(items, `${place}[]`)
    for (const each of anyOf) visit(each, place)
  }
  for (const [name, schema] of Object.entries(components.schemas)) visit(schema as Node, name)
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const { operationId, summary, description, parameters, requestBody, responses } = operation
    if (!explains(summary) || !explains(description)) found.add(operationId)
    for (const parameter of parameters.map((each) => target(each))) {
      if (!explains(parameter.description)) found.add(`${operationId}: parameter ${parameter.name}`)
      visit(parameter.schema, `${operationId}: parameter ${parameter.name}`)
    }
    const bodies: Response[] = [requestBody ?? {}, ...Object.values(responses)]
    for (const { content = {}, headers = {} } of bodies.map((each) => target(each))) {
      for (const { schema } of Object.values(content)) visit(schema, operationId)
      for (const [name, header] of Object.entries(headers)) {
        if (!explains(target(header).description)) found.add(`${operationId}: header ${name}`)
      }
    }
  }
  return [...found]
}

test.each(['openapi.json', 'ops-openapi.json', 'portal-openapi.json', 'office-openapi.json'])(
  '%s explains every property, value, operation, parameter and header',
  (file) => {
    expect(unexplainedIn(JSON.parse(readFileSync(file, 'utf8')) as Reference)).toEqual([])
  },
)
