import { EventCode } from '../public/event-code.js'
import { billingFields, billingValues } from './billing-words.js'
import { fieldMeanings } from './fields.js'
import { otherFieldMeanings } from './fields-i-to-z.js'
import { transportMeanings } from './transport-values.js'
import { valueMeanings } from './values.js'

/** Adds what fields, parameters and values mean to an OpenAPI description, where their schemas do not say it. */

const fields = { ...billingFields, ...fieldMeanings, ...otherFieldMeanings }
const eventCodes = (EventCode as { 'x-enumDescriptions'?: Record<string, string> })['x-enumDescriptions']
const values = { ...billingValues, ...eventCodes, ...valueMeanings, ...transportMeanings }

type Node = {
  description?: string
  enum?: unknown[]
  'x-enumDescriptions'?: Record<string, string>
  properties?: Record<string, Node>
  items?: Node
  anyOf?: Node[]
}
type Parameter = { name: string; description?: string; schema: Node }
type Content = Record<string, { schema?: Node }>
type Described = { content?: Content }
type Operation = { operationId: string; parameters: Parameter[]; requestBody?: Described; responses: object }
type Components = { schemas: object; parameters: object }

// What a date is, and not what it means.
const isFormat = /^(?:Date and time with UTC offset|Calendar date)/

export function explain(paths: object, { schemas, parameters }: Components): void {
  for (const [name, schema] of Object.entries(schemas) as [string, Node][]) explainNode(schema, name)
  for (const each of Object.values(parameters) as Parameter[]) explainParameter(each)
  for (const { operationId, parameters: own, requestBody, responses } of operationsIn(paths)) {
    for (const each of own) if ('schema' in each) explainParameter(each)
    for (const { content = {} } of [requestBody ?? {}, ...(Object.values(responses) as Described[])])
      for (const { schema } of Object.values(content)) if (schema) explainNode(schema, operationId)
  }
}

function operationsIn(paths: object): Operation[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods as object) as Operation[])
}

function explainParameter(parameter: Parameter): void {
  const { description: known, name } = parameter
  const meaning = known === undefined || isFormat.test(known) ? fields[name] : known
  if (meaning !== undefined) parameter.description = meaning
  explainNode(parameter.schema, parameter.name)
}

function explainNode(node: Node, place: string): void {
  const meanings = node.enum && meaningsOf(node.enum, place, node['x-enumDescriptions'])
  if (meanings) node['x-enumDescriptions'] = meanings
  for (const [name, property] of Object.entries(node.properties ?? {})) {
    const inside = `${place}.${name}`
    const known = property.description
    const meaning = known === undefined || isFormat.test(known) ? (fields[inside] ?? fields[name]) : known
    if (meaning !== undefined) property.description = meaning
    explainNode(property, inside)
  }
  if (node.items) explainNode(node.items, `${place}[]`)
  for (const each of node.anyOf ?? []) explainNode(each, place)
}

function meaningsOf(enumeration: unknown[], place: string, known: Record<string, string> = {}) {
  const field = place.split('.').at(-1)?.replaceAll('[]', '')
  const found = enumeration.map(String).flatMap((value) => {
    const meaning = known[value] ?? values[`${field}: ${value}`] ?? values[value]
    return meaning === undefined ? [] : [[value, meaning]]
  })
  return found.length === 0 ? undefined : (Object.fromEntries(found) as Record<string, string>)
}
