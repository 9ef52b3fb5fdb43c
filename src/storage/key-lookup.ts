import { coalesced } from './coalesced.js'
import type { Database } from './database.js'
import { findKeyHolders, type KeyHolder } from './keys.js'
import type { AccountId } from './transaction.js'

/** Whose key it is, what it may, and how far its account has got: as of now, whoever asks and wherever it changed. */
export type KeyLookup = {
  find(hash: string): Promise<KeyHolder | undefined>
  /** Whether anything is known of the key: it may be outdated. */
  knows(hash: string): boolean
}

const mostRemembered = 20_000

/**
 * What is known of a key holds for as long as its account is at the revision at which it was read: whatever changes a
 * key or an account raises that. So a known key costs a look at its account's revision, shared with all who ask
 * meanwhile.
 */
export function keyLookup(db: Database): KeyLookup {
  const remembered = new Map<string, KeyHolder>()
  const findHolder = coalesced<string, KeyHolder>((hashes) => findKeyHolders(db, hashes))
  const findState = coalesced<AccountId, AccountState>((accounts) => findAccountStates(db, accounts))

  async function read(hash: string): Promise<KeyHolder | undefined> {
    const holder = await findHolder(hash)
    remembered.delete(hash)
    if (!holder) return undefined
    if (remembered.size >= mostRemembered) remembered.delete(remembered.keys().next().value as string)
    remembered.set(hash, holder)
    return holder
  }

  return {
    knows: (hash) => remembered.has(hash),
    async find(hash) {
      const known = remembered.get(hash)
      if (!known || isOver(known)) return read(hash)
      const state = await findState(known.account_id)
      return state?.revision === known.revision && state.epoch === known.secrets.epoch ? known : read(hash)
    },
  }
}

function isOver({ expires_at }: KeyHolder): boolean {
  return expires_at !== null && expires_at.getTime() <= Date.now()
}

type AccountState = { revision: number; epoch: string }

async function findAccountStates(db: Database, accounts: AccountId[]): Promise<(AccountState | undefined)[]> {
  const distinct = [...new Set(accounts)]
  const rows = await db<({ account_id: AccountId } & AccountState)[]>`
    select account_id, revision, epoch || '.' || 'accounts'::regclass::oid as epoch
    from accounts cross join service where account_id = any(${distinct})`
  const states = new Map(rows.map((row) => [row.account_id, row]))
  return accounts.map((account) => states.get(account))
}
