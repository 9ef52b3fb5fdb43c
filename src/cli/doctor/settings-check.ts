import { nearestName } from '../../contract/nearest-name.js'
import { BadSetting, readSettings, type Settings, settingNames } from '../settings.js'
import { type Finding, ok, warning, wrong } from './finding.js'

export type CheckedSettings = {
  settings: Settings
  /** Invalid variables that were ignored: checks that depend on them are skipped. */
  ignored: Set<string>
  findings: Finding[]
}

const subject = 'settings'

/** Reports every bad setting, not only the first: reads the settings again without each bad variable. */
export function checkSettings(environment: NodeJS.ProcessEnv): CheckedSettings {
  const remaining = { ...environment }
  const ignored = new Set<string>()
  const findings = unknownIn(environment)
  for (;;) {
    try {
      const settings = readSettings(remaining)
      const known = settingNames().filter((name) => remaining[name])
      findings.push(...settingsWarnings(settings))
      if (findings.length === 0) findings.push(ok(subject, known.length === 0 ? 'all defaults' : known.join(', ')))
      return { settings, ignored, findings }
    } catch (error) {
      if (!(error instanceof BadSetting)) throw error
      const set = error.variables.filter((name) => remaining[name])
      findings.push(wrong(subject, error.message, `correct it, or unset ${set.join(', ')}`))
      for (const name of error.variables) {
        ignored.add(name)
        delete remaining[name]
      }
    }
  }
}

function unknownIn(environment: NodeJS.ProcessEnv): Finding[] {
  const known = settingNames()
  return Object.keys(environment)
    .filter((name) => name.startsWith('WAYBILL_') && !known.includes(name))
    .map((name) => wrong(subject, `${name} is not a setting and has no effect`, suggestionFor(name, known)))
}

function suggestionFor(name: string, known: string[]): string {
  const nearest = nearestName(name, known)
  return nearest === undefined ? 'unset it' : `did you mean ${nearest}?`
}

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])

/** Settings that are valid but probably not intended. */
function settingsWarnings({ host, publicUrl, trustedProxies, operators, documents, provider }: Settings): Finding[] {
  const isPublic = !loopbackHosts.has(host) || publicUrl !== undefined
  const warnings: Finding[] = []
  if (!loopbackHosts.has(host) && publicUrl === undefined) {
    const what = 'WAYBILL_PUBLIC_URL is not set: links use the Host header of the request'
    warnings.push(warning(subject, what, 'set it to the public address of the service'))
  }
  if (publicUrl?.startsWith('http:') && !loopbackHosts.has(new URL(publicUrl).hostname)) {
    const what = 'WAYBILL_PUBLIC_URL is not https: browsers reject the session cookie'
    warnings.push(warning(subject, what, 'use a TLS proxy, and set its address'))
  }
  if (publicUrl?.startsWith('https:') && trustedProxies.rules.length === 0) {
    const what = 'WAYBILL_TRUSTED_PROXIES is not set: all clients of the TLS proxy count as one machine'
    warnings.push(warning(subject, what, 'set it to the addresses of the proxy'))
  }
  if (isPublic && operators === 'with customers') {
    const what = 'operators and customers share an address'
    warnings.push(
      warning(subject, what, 'set WAYBILL_OPS_PORT, or WAYBILL_OPS=off in processes that customers can reach'),
    )
  }
  if (documents && 'origin' in documents && isRemoteWithoutTls(documents.origin)) {
    const what = 'documents are sent to the bucket without TLS'
    warnings.push(warning(subject, what, 'remove tls=off from WAYBILL_DOCUMENTS'))
  }
  if (provider && publicUrl === undefined) {
    const what = 'the callback of the sign-in provider uses the Host header of the request'
    warnings.push(warning(subject, what, 'set WAYBILL_PUBLIC_URL, and register its callback at the provider'))
  }
  return warnings
}

function isRemoteWithoutTls(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'http:' && !loopbackHosts.has(hostname)
}
