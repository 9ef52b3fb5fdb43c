import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type EmbeddedComponent, embeddedComponents } from './embedded-libraries.js'
import { shippedPackages } from './shipped-packages.js'

type Licence = { license?: { id?: string | undefined; name?: string }; expression?: string }
type Component = {
  name: string
  version: string
  'bom-ref': string
  scope?: string | undefined
  licenses?: Licence[]
  hashes?: { alg: string; content: string }[]
  /** Native libraries that the package contains. */
  components?: EmbeddedComponent[]
}
type Dependency = { ref: string; dependsOn: string[] }
export type Bill = {
  $schema: string
  bomFormat: string
  specVersion: string
  version: number
  metadata: { component: Component & { type?: string } }
  components: Component[]
  dependencies: Dependency[]
}

// From its LICENSE file: its package.json has none.
const licences: Record<string, string> = { 'png-js': 'MIT', '@mapbox/jsonlint-lines-primitives': 'MIT' }

function contentsOf({ name, version }: { name: string; version: string }): { components?: EmbeddedComponent[] } {
  const components = embeddedComponents(name, version)
  return components.length > 0 ? { components } : {}
}

/**
 * The shipped packages with their licences, as CycloneDX: what `npm sbom` reads from the lock file, without timestamps
 * and serial numbers.
 */
export function billOfMaterials(): Bill {
  const { stdout, status, stderr } = spawnSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`)
  const listed = JSON.parse(stdout) as Bill
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string; version: string }

  const shipped = new Set(shippedPackages().map((each) => `${each.name}@${each.version}`))
  const root = `${name}@${version}`
  const components = listed.components
    .filter((component) => shipped.has(component['bom-ref']))
    // Development packages that the portal is built of are shipped, too.
    .map(({ scope, ...component }) => ({
      ...component,
      ...contentsOf(component),
      scope: scope === 'excluded' ? 'required' : scope,
      licenses: component.licenses ?? [{ license: { id: licences[component.name] } }],
    }))
  const missing = [...shipped].filter((ref) => !components.some((component) => component['bom-ref'] === ref))
  if (missing.length > 0) throw new Error(`npm sbom does not list ${missing.join(', ')}`)

  const { $schema, bomFormat, specVersion, metadata } = listed
  const { component } = metadata
  return {
    $schema,
    bomFormat,
    specVersion,
    version: 1,
    metadata: { component: { ...component, type: 'application', name, 'bom-ref': root } },
    components: components.toSorted((one, other) => (one['bom-ref'] < other['bom-ref'] ? -1 : 1)),
    dependencies: listed.dependencies
      .filter(({ ref }) => ref === root || shipped.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => shipped.has(each)) })),
  }
}
