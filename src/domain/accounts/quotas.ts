import { type QuotaName, type Quotas, type QuotasUpdate, quotaNames } from '../../contract/operator/quotas.js'

/** The limit that applies to an account: its own, or the default; undefined if there is none. */
export function limitOf(name: QuotaName, own: Quotas, defaults: Quotas): number | undefined {
  return (own[name] ?? defaults[name]) || undefined
}

/** Null returns a quota to its default. */
export function changedQuotas(own: Quotas, change: QuotasUpdate): Quotas {
  const merged = { ...own, ...change }
  return Object.fromEntries(
    quotaNames.flatMap((name) => (typeof merged[name] === 'number' ? [[name, merged[name]]] : [])),
  )
}
