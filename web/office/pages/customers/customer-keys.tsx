import { useMemo, useState } from 'react'
import type { Account } from '../../../../src/contract/operator/accounts.js'
import { useDeveloperMessages } from '../../../portal/i18n/developers.js'
import { CreateKeyDialog, newKeyDraft } from '../../../portal/pages/developers/create-key-dialog.js'
import type { KeyAccess } from '../../../portal/pages/developers/key-access.js'
import { Keys } from '../../../portal/pages/developers/keys.js'
import { Button } from '../../../ui/button.js'
import { hasDraft } from '../../../ui/use-draft.js'
import { useActions } from '../../actions/use-actions.js'
import { keysQuery, ops, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { useKeys } from '../../layout/keys.js'

/** The keys of a customer's systems, with the components of the portal. A key is shown once, when it is made. */
export function CustomerKeys({ account: { slug, max_key_days } }: { account: Account }) {
  const t = useDeveloperMessages()
  const { people: m } = useOfficeMessages()
  const { run } = useActions()
  const isAdmin = useMayDo('administer')
  const access = useMemo(() => keysOf(slug), [slug])
  const [isCreating, setCreating] = useState(() => isAdmin && hasDraft(newKeyDraft(access)))
  const create = () => setCreating(true)
  useKeys({ c: isAdmin ? create : undefined })
  return (
    <>
      <Keys
        aside={
          <Button size="xs" disabled={!isAdmin} title={isAdmin ? undefined : m.adminsOnly} onClick={create}>
            {t.createKey} <kbd>c</kbd>
          </Button>
        }
        access={access}
        onCreate={create}
        notify={(text) => void run(async () => ({ text }))}
        isReadOnly={!isAdmin}
      />
      {isCreating && <CreateKeyDialog access={access} maxDays={max_key_days} onClose={() => setCreating(false)} />}
    </>
  )
}

function keysOf(account: string): KeyAccess {
  return {
    query: keysQuery(account) as KeyAccess['query'],
    create: (body) => ops.createKey({ params: { account }, body }),
    rotate: (key_id, old_until) => ops.rotateKey({ params: { account, key_id }, body: { old_until } }),
    revoke: (key_id) => ops.revokeKey({ params: { account, key_id } }),
  }
}
