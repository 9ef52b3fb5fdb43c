import type { AuditEntry } from '../../../../src/contract/audit.js'
import type { AuditMessages } from '../../i18n/audit.js'
import type { Messages } from '../../i18n/messages.js'

/** An entry of the audit log in words. */

export function actorOf({ actor, actor_name }: AuditEntry, m: AuditMessages): string {
  if (actor.startsWith('operator:')) return m.forwarder(actor_name ?? actor)
  if (actor === 'command-line') return m.forwarder(m.commandLine)
  if (actor === 'link') return m.link
  if (actor === 'visitor') return m.visitor
  return actor_name ?? actor
}

type Details = Partial<
  Record<'email' | 'name' | 'operation' | 'file' | 'before' | 'after' | 'browser' | 'system', string | null>
> & { with?: string; reason?: string; sessions?: number; kinds?: string[] }

/** What it was done to: a name where one is known; and how. */
export function aboutOf(
  entry: AuditEntry,
  nameOf: (id: string) => string | undefined,
  m: AuditMessages,
  all: Messages,
): string {
  const { action, subject } = entry
  const details = entry.details as Details
  const { email, name, operation, file, before, after, browser, system, sessions, kinds } = details
  const person = subject === undefined ? undefined : nameOf(subject)
  const device = (browser ?? system) ? all.sessions.deviceName(browser ?? undefined, system ?? undefined) : undefined
  const known = person ?? email ?? name ?? file ?? operation ?? device
  const settings = (Object.keys(m.settings) as (keyof typeof m.settings)[])
    .filter((each) => entry.details[each] !== undefined)
    .map((each) => (m.settings[each] as (value: unknown) => string)(entry.details[each]))
  const parts = [
    // An identifier says nothing where the number of sessions does.
    known ?? (sessions === undefined ? subject : undefined),
    before !== undefined && after !== undefined ? `${before} → ${after}` : undefined,
    sessions !== undefined && device === undefined ? m.sessions(sessions) : undefined,
    ...(kinds ?? []).map((kind) => wordFor(m.records, kind)),
    details.with === undefined ? undefined : wordFor(m.means, details.with),
    // Of other acts, it is a reason that somebody has written.
    action.endsWith('_failed') && details.reason !== undefined ? wordFor(m.reasons, details.reason) : undefined,
    ...settings,
  ]
  return parts.filter((part) => part !== undefined).join(', ') || '–'
}

// A newer version of the service may know more.
function wordFor(words: Record<string, string>, key: string): string {
  return words[key] ?? key
}
