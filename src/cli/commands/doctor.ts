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
    .description('check settings, database, documents, clocks and external services, and suggest fixes')
    .action(async (flags: { json?: true }) => {
      const findings = await examine(process.env)
      const count = (state: State) => findings.filter((finding) => finding.state === state).length
      console.log(flags.json ? jsonOf(findings) : report(findings))
      if (count('wrong') > 0) throw new Failure(`${count('wrong')} wrong, ${count('warning')} warnings`)
    })
}

async function examine(environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { settings, ignored, findings } = checkSettings(environment)
  const unless = async (name: string, subject: string, check: () => Promise<Finding[]>) =>
    ignored.has(name) ? [skipped(subject, `correct ${name} first`)] : check()
  return [
    ...findings,
    ...(await checkMachine(settings)),
    // Without DATABASE_URL the embedded database would be checked instead.
    ...(await unless('DATABASE_URL', 'database', () => checkDatabase(settings))),
    ...(await unless('WAYBILL_DOCUMENTS', 'documents', () => checkDocuments(settings))),
    ...(await checkOutside(settings)),
    ...(await unless('PORT', 'service', async () => [await checkAddress(settings)])),
  ]
}

function jsonOf(findings: Finding[]): string {
  const isOk = findings.every(({ state }) => state !== 'wrong')
  return JSON.stringify({ ok: isOk, findings })
}

const stateWidth = 'skipped'.length

function report(findings: Finding[]): string {
  const width = Math.max(...findings.map(({ subject }) => subject.length))
  return findings
    .map(({ state, subject, what, fix }) => {
      const start = `${state.padEnd(stateWidth)}  ${subject.padEnd(width)}  ${what}`
      return fix === undefined ? start : `${start} -> ${fix}`
    })
    .join('\n')
}
