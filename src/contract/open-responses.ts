/**
 * Requests are closed: an unknown field is refused, so that a misspelled one is noticed. Responses are open in the descriptions,
 * so that generated clients accept what a later release adds. A schema that both use is described twice.
 */

type Json = Record<string, unknown>
type Schemas = Record<string, unknown>
type Names = ReadonlySet<string>

const reference = '#/components/schemas/'
const suffix = 'Input'

/** Opens the objects of all responses, in place. */
export function openResponses(paths: Record<string, Json>, components: Record<string, Json>): void {
  const schemas = components.schemas as Schemas
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods) as Json[])
  const requests: unknown[] = operations.flatMap(({ parameters, requestBody }) => [parameters, requestBody])
  const inRequests = namesIn([...requests, components.parameters], schemas)
  const inResponses = namesIn([operations.map(({ responses }) => responses), components.responses], schemas)
  const twice = new Set([...inRequests].filter((name) => inResponses.has(name) && isClosed(name, schemas)))

  const copies = [...twice].map((name) => [name + suffix, renamed(schemas[name], twice)] as const)
  for (const name of inRequests) if (!inResponses.has(name)) schemas[name] = renamed(schemas[name], twice)
  components.parameters = renamed(components.parameters, twice) as Json
  for (const operation of operations) {
    operation.parameters = renamed(operation.parameters, twice)
    if (operation.requestBody) operation.requestBody = renamed(operation.requestBody, twice)
    operation.responses = opened(operation.responses)
  }
  components.responses = opened(components.responses) as Json
  for (const name of inResponses) schemas[name] = opened(schemas[name])
  for (const [name, schema] of copies) {
    if (name in schemas) throw new Error(`${name} is the name of another schema`)
    schemas[name] = schema
  }
}

/** The names of all schemas that the parts refer to, also through others. */
function namesIn(parts: unknown, schemas: Schemas, found = new Set<string>()): Set<string> {
  visit(parts, ({ $ref }) => {
    if (typeof $ref !== 'string' || !$ref.startsWith(reference)) return
    const name = $ref.slice(reference.length)
    if (found.has(name)) return
    found.add(name)
    namesIn(schemas[name], schemas, found)
  })
  return found
}

function isClosed(name: string, schemas: Schemas): boolean {
  let found = false
  for (const each of [name, ...namesIn(schemas[name], schemas)]) {
    visit(schemas[each], ({ additionalProperties }) => {
      found ||= additionalProperties === false
    })
  }
  return found
}

function visit(part: unknown, see: (node: Json) => void): void {
  if (typeof part !== 'object' || part === null) return
  if (!Array.isArray(part)) see(part as Json)
  for (const each of Object.values(part)) visit(each, see)
}

function renamed(part: unknown, names: Names): unknown {
  return mapped(part, (name, value) =>
    name === '$ref' && typeof value === 'string' && names.has(value.slice(reference.length)) ? value + suffix : value,
  )
}

function opened(part: unknown): unknown {
  return mapped(part, (name, value) => (name === 'additionalProperties' && value === false ? undefined : value))
}

/** A copy; entries whose value becomes undefined are left out. */
function mapped(part: unknown, change: (name: string, value: unknown) => unknown): unknown {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map((each) => mapped(each, change))
  return Object.fromEntries(
    Object.entries(part).flatMap(([name, value]) => {
      const changed = change(name, value)
      return changed === undefined ? [] : [[name, mapped(changed, change)]]
    }),
  )
}
