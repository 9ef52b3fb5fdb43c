import type { Command } from 'commander'
import { openDatabase } from '../../database/database.js'
import { commandLine, forwarderLog, recordAudit } from '../../store/audit.js'
import { CannotMove, cancelMove, moveAccount } from '../../store/move/move-account.js'
import { findDatabaseFailure } from '../database-failure.js'
import { Failure } from '../failure.js'
import { withStorage } from '../open-storage.js'
import { isDatabaseUrl, readSettings } from '../settings.js'

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
      if (!isDatabaseUrl(to)) {
        throw new Failure('--to must be a valid address that starts with postgres:// or postgresql://', 2)
      }
      const target = openDatabase({ url: to }, { connections: 2, name: 'waybill move' })
      try {
        await withStorage(readSettings(process.env), async ({ db }) => {
          await target`select 1`.catch((error: unknown) => {
            throw findDatabaseFailure(error, to, '--to') ?? error
          })
          if (cancel) {
            await cancelMove(db, target, account)
            await recordAudit(db, forwarderLog, commandLine, {
              kind: 'operator',
              action: 'operator_acted',
              subject: account,
              details: { operation: 'move', cancelled: true },
            })
            console.log(
              json ? JSON.stringify({ account, cancelled: true }) : `The account ${account} is open here again.`,
            )
            return
          }
          const report = await moveAccount(db, target, account)
          const moved = { subject: account, details: { operation: 'move' } }
          await recordAudit(db, forwarderLog, commandLine, { kind: 'export', action: 'exported', ...moved })
          await recordAudit(target, forwarderLog, commandLine, { kind: 'operator', action: 'imported', ...moved })
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
