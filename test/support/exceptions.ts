import { evaluateAccount } from '../../src/usecases/exceptions/run-exceptions.js'
import type { RunningService } from './service.js'

/** Evaluates an account as the background task would do. */
export async function evaluate({ db }: Pick<RunningService, 'db'>, account: number, now?: string): Promise<void> {
  await evaluateAccount(db, account, now === undefined ? Date.now() : Date.parse(now))
}

/** Before the first example about exceptions, so that there is one. */
export async function evaluateBefore({ db }: Pick<RunningService, 'db'>, example: string, slug: string): Promise<void> {
  if (example !== 'listExceptions') return
  const [row] = await db<{ id: number }[]>`select account_id as id from accounts where slug = ${slug}`
  if (row) await evaluate({ db }, row.id)
}
