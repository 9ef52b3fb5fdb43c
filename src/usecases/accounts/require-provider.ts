import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { commit } from '../../ledger/commit.js'
import { saveProviderOnly } from '../../store/accounts.js'
import { commandLine, recordAudit } from '../../store/audit.js'
import { endSessionsWithoutProvider } from '../../store/sessions.js'

/** Sets whether people of an account may sign in with the company's provider only; other sessions end at once. */
export async function requireProvider(db: Database, account: AccountId, provider_only: boolean): Promise<void> {
  await commit(db, account, commandLine.actor, async ({ sql }) => {
    await saveProviderOnly(sql, account, provider_only)
    if (provider_only) await endSessionsWithoutProvider(sql, account)
    const details = { provider_only }
    await recordAudit(sql, account, commandLine, { kind: 'setting', action: 'account_updated', details })
  })
}
