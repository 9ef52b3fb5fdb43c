import type { QueryKey, UseQueryOptions } from '@tanstack/react-query'
import type { UsedKey } from '../../../../src/contract/portal/keys.js'
import type { Scope } from '../../../../src/contract/public/operations.js'
import { api } from '../../api/client.js'
import { keysQuery } from '../../api/queries.js'

type NewKey = { name: string; scopes: Scope[]; networks?: string[]; expires_at?: string }

/** How keys are read and changed: those of one's own account, or at the office those of a customer. */
export type KeyAccess = {
  query: { queryKey: QueryKey; queryFn?: UseQueryOptions<UsedKey[]>['queryFn'] }
  create(key: NewKey): Promise<{ key: string }>
  rotate(key_id: string, old_until: string): Promise<{ key: string }>
  revoke(key_id: string): Promise<unknown>
}

export const ownKeys: KeyAccess = {
  query: keysQuery() as KeyAccess['query'],
  create: (body) => api.portal.createOwnKey({ body }),
  rotate: (key_id, old_until) => api.portal.rotateOwnKey({ params: { key_id }, body: { old_until } }),
  revoke: (key_id) => api.portal.revokeOwnKey({ params: { key_id } }),
}
