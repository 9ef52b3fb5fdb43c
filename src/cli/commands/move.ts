import type { Command } from 'commander'
import { openDatabase } from '../../database/database.js'
import { CannotMove, cancelMove, moveAccount } from '../../store/move/move-account.js'
import { Failure } from '../failure.js'
import { withStorage } from '../open-storage.js'
import { readSettings } from '../settings.js'

type Flags = { account: string; to: string; cancel?: true; json?: true }

export function addTo(program: Command): void {
  program
    .command('move')
    .requiredOption('--account <slug>', 'the account to move')
    .requiredOption('--to <url>', 'the PostgreSQL address of the other installation, with the same version of Waybill')
    .option('--cancel', 'open the account here again, after a move that did not finish')
    .option('--json', 'print the result as JSON')
    .description('move an account to the database of another installation, while it is used')
    .action(async ({ account, to, cancel, json }: Flags) => {
      const target = openDatabase({ url: to }, { connections: 2, name: 'waybill move' })
      try {
        await withStorage(readSettings(process.env), async ({ db }) => {
          if (cancel) {
            await cancelMove(db, target, account)
            console.log(
              json ? JSON.stringify({ account, cancelled: true }) : `The account ${account} is open here again.`,
            )
            return
          }
          const report = await moveAccount(db, target, account)
          const rows = report.passes.reduce((sum, each) => sum + each, 0)
          const text = `Moved the account ${account}: ${rows} rows in ${report.passes.length} passes, closed for ${report.closed_ms} ms. Send its requests to the other installation now.`
          console.log(json ? JSON.stringify({ account, ...report }) : text)
        })
      } catch (error) {
        throw error instanceof CannotMove ? new Failure(error.message) : error
      } finally {
        await target.end({ timeout: 1 })
      }
    })
}
