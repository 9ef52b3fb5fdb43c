import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { auditFilter } from '../../contract/audit.js'
import { validatorOf } from '../../contract/validation.js'
import { findAccount } from '../../store/accounts.js'
import { commandLine, forwarderLog, recordAudit } from '../../store/audit.js'
import { auditLines } from '../../usecases/accounts/read-audit.js'
import { Failure } from '../failure.js'
import { withStorage } from '../open-storage.js'
import { readSettings } from '../settings.js'

type Flags = { account?: string; kind?: string; actor?: string; from?: string; to?: string }

export function addTo(program: Command): void {
  program
    .command('audit')
    .description('the audit log of an account, or of the forwarder')
    .command('export')
    .option('--account <slug>', 'the account (default: what concerns no account)')
    .option('--kind <kind>', 'only entries of this kind, such as sign_in or key')
    .option('--actor <actor>', 'only acts of this actor, as in the export')
    .option('--from <time>', 'only entries since this time, with offset')
    .option('--to <time>', 'only entries before this time, with offset')
    .description('print the entries as lines of JSON, the newest first')
    .action(async ({ account: slug, ...filter }: Flags) => {
      const [fault] = validatorOf(auditFilter).faultsIn(filter)
      if (fault) throw new Failure(`--${fault.pointer.slice(1)} ${fault.detail}`, 2)
      await withStorage(readSettings(process.env), async ({ db }) => {
        const account = slug === undefined ? forwarderLog : await findAccount(db, slug)
        if (account === undefined) throw new Failure(`there is no account ${slug}`)
        const details = { operation: 'audit export' }
        await recordAudit(db, account, commandLine, { kind: 'export', action: 'exported', details })
        await pipeline(auditLines(db, account, filter as object), process.stdout, { end: false })
      })
    })
}
