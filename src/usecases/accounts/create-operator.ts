import { randomBytes } from 'node:crypto'
import type { OperatorRole } from '../../contract/operator/accounts.js'
import type { AccountId } from '../../database/account-id.js'
import type { Database } from '../../database/database.js'
import { formatApiKey } from '../../domain/accounts/api-key.js'
import { listSlugs } from '../../store/accounts.js'
import { commandLine, forwarderLog, recordAudit } from '../../store/audit.js'
import { createOperator, revokeOperator } from '../../store/operators.js'

/** Creates an operator of the forwarder, with a key that can be shown only now. */
export async function createOperatorWithKey(
  db: Database,
  {
    accounts,
    ...given
  }: {
    name: string
    role: OperatorRole
    accounts?: AccountId[] | undefined
    expires_at?: Date | undefined
  },
): Promise<{ operator_id: string; key: string }> {
  const operator_id = `op_${randomBytes(8).toString('hex')}`
  const key = formatApiKey('operator', randomBytes(24))
  await db.begin(async (sql) => {
    await createOperator(sql, { operator_id, key, accounts, ...given })
    const limit = accounts && { accounts: (await listSlugs(sql, accounts)).join(', ') }
    const details = { ...given, ...limit }
    const act = { kind: 'operator', action: 'operator_created', subject: operator_id, details } as const
    await recordAudit(sql, forwarderLog, commandLine, act)
  })
  return { operator_id, key }
}

/** Revokes an operator. False if there is no such operator. */
export async function endOperator(db: Database, operator_id: string): Promise<boolean> {
  return db.begin(async (sql) => {
    const isRevoked = await revokeOperator(sql, operator_id)
    const act = { kind: 'operator', action: 'operator_revoked', subject: operator_id } as const
    if (isRevoked) await recordAudit(sql, forwarderLog, commandLine, act)
    return isRevoked
  })
}
