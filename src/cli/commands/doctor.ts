import type { Command } from 'commander'
import { checkDatabase } from '../doctor/database-check.js'
import { checkDocuments } from '../doctor/documents-check.js'
import { type Finding, type State, skipped } from '../doctor/finding.js'
import { checkAddress, checkMachine } from '../doctor/machine-check.js'
import { checkOutside } from '../doctor/outside-check.js'
import { checkSettings } from '../doctor/settings-check.js'
import { Failure } from '../failure.js'

export function addTo(program: Command): void {
  program
    .command('doctor')
    .option('--json', 'print the result as JSON')
    .description(
      'check settings, database, documents, clocks and what else is needed; say what is wrong, and how to mend it',
    )
    .action(async (flags: { json?: true }) => {
      const findings = await examine(process.env)
      const count = (state: State) => findings.filter((finding) => finding.state === state).length
      console.log(flags.json ? JSON.stringify({ ok: count('wrong') === 0, findings }) : report(findings))
      if (count('wrong') > 0) throw new Failure(`${count('wrong')} wrong, ${count('warning')} to look at`)
    })
}

async function examine(environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { settings, leftAside, findings } = checkSettings(environment)
  const unless = async (name: string, subject: string, check: () => Promise<Finding[]>) =>
    leftAside.has(name) ? [skipped(subject, `${name} has to be corrected first`)] : check()
  return [
    ...findings,
    ...(await checkMachine(settings)),
    // Without it Waybill's own database would be looked at, which is another one.
    ...(await unless('DATABASE_URL', 'database', () => checkDatabase(settings))),
    ...(await unless('WAYBILL_DOCUMENTS', 'documents', () => checkDocuments(settings))),
    ...(await checkOutside(settings)),
    ...(await unless('PORT', 'service', async () => [await checkAddress(settings)])),
  ]
}

const widthOfStates = 'skipped'.length

function report(findings: Finding[]): string {
  const width = Math.max(...findings.map(({ subject }) => subject.length))
  return findings
    .map(({ state, subject, what, mend }) => {
      const start = `${state.padEnd(widthOfStates)}  ${subject.padEnd(width)}  ${what}`
      return mend === undefined ? start : `${start} -> ${mend}`
    })
    .join('\n')
}
