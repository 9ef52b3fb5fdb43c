import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { shippedPackages } from './shipped-packages.js'

/**
 * Writes docs/sbom.json: what is shipped and under which licences, in the form of CycloneDX, as `npm sbom` tells it from the
 * lock file; without what differs from run to run, so that it changes when the packages do.
 */

type Component = { name: string; version: string; 'bom-ref': string; scope?: string; licenses?: unknown[] }
type Dependency = { ref: string; dependsOn: string[] }
type Bill = {
  $schema: string
  bomFormat: string
  specVersion: string
  version: number
  metadata: { component: Component }
  components: Component[]
  dependencies: Dependency[]
}

// Its LICENSE file says so; its package.json says nothing.
const licences: Record<string, string> = { 'png-js': 'MIT' }

const { stdout, status, stderr } = spawnSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'], {
  encoding: 'utf8',
  maxBuffer: 1 << 26,
})
if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`)
const told = JSON.parse(stdout) as Bill
const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string; version: string }

const shipped = new Set(shippedPackages().map((each) => `${each.name}@${each.version}`))
const root = `${name}@${version}`
const components = told.components
  .filter((component) => shipped.has(component['bom-ref']))
  // Where a package lies among those of the development, it is a part of what is built all the same.
  .map(({ scope, ...component }) => ({
    ...component,
    scope: scope === 'excluded' ? 'required' : scope,
    licenses: component.licenses ?? [{ license: { id: licences[component.name] } }],
  }))
const missing = [...shipped].filter((ref) => !components.some((component) => component['bom-ref'] === ref))
if (missing.length > 0) throw new Error(`npm sbom does not tell of ${missing.join(', ')}`)

const { $schema, bomFormat, specVersion, metadata } = told
const { component } = metadata
const bill = {
  $schema,
  bomFormat,
  specVersion,
  version: 1,
  metadata: { component: { ...component, type: 'application', name, 'bom-ref': root } },
  components: components.toSorted((one, other) => (one['bom-ref'] < other['bom-ref'] ? -1 : 1)),
  dependencies: told.dependencies
    .filter(({ ref }) => ref === root || shipped.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => shipped.has(each)) })),
}
writeFileSync('docs/sbom.json', `${JSON.stringify(bill, null, 2)}\n`)
console.log(`Wrote docs/sbom.json: ${components.length} packages.`)
