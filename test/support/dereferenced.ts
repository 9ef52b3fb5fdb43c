/** An OpenAPI document with all references resolved, each target once. */
export function dereferenced<Document>(document: Document): Document {
  const known = new Map<string, unknown>()
  function resolve(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(resolve)
    if (typeof node !== 'object' || node === null) return node
    if (!('$ref' in node)) {
      return Object.fromEntries(Object.entries(node).map(([name, part]) => [name, resolve(part)]))
    }
    const reference = String(node.$ref)
    if (!known.has(reference)) known.set(reference, resolve(find(reference)))
    return known.get(reference)
  }
  function find(reference: string): unknown {
    const [start, ...names] = reference.split('/')
    let found: unknown = document
    for (const name of names) found = (found as Record<string, unknown> | undefined)?.[name]
    if (start !== '#' || found === undefined) throw new Error(`the reference ${reference} has no target`)
    return found
  }
  return resolve(document) as Document
}
