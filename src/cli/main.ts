import { Command } from 'commander'
import { errorReport } from './error-report.js'
import { interruptionOf } from './stop-signal.js'
import { version } from './version.js'

const program = new Command('waybill')
  .description('Freight forwarding service')
  .version(version)
  .exitOverride()
  // Of all commands, which inherit it.
  .showHelpAfterError('(--help after a command lists what it accepts)')
  .addHelpText(
    'after',
    '\nSettings come from the environment: PORT, HOST, DATABASE_URL, WAYBILL_DATA_DIR and others; see docs/configuration.md.',
  )

type CommandModule = { addTo(program: Command): void }

// Modules are loaded on demand, so that a command does not wait for the dependencies of the others.
const commands: Record<string, () => Promise<CommandModule>> = {
  sandbox: () => import('./commands/sandbox.js'),
  serve: () => import('./commands/serve.js'),
  migrate: () => import('./commands/migrate.js'),
  account: () => import('./commands/account.js'),
  key: () => import('./commands/key.js'),
  user: () => import('./commands/user.js'),
  operator: () => import('./commands/operator.js'),
  branding: () => import('./commands/branding.js'),
  feed: () => import('./commands/feed.js'),
  webhook: () => import('./commands/webhook.js'),
  audit: () => import('./commands/audit.js'),
  message: () => import('./commands/message.js'),
  codes: () => import('./commands/codes.js'),
  'free-time': () => import('./commands/free-time.js'),
  import: () => import('./commands/import.js'),
  export: () => import('./commands/export.js'),
  template: () => import('./commands/template.js'),
  generate: () => import('./commands/generate.js'),
  backup: () => import('./commands/backup.js'),
  restore: () => import('./commands/restore.js'),
  move: () => import('./commands/move.js'),
  mcp: () => import('./commands/mcp.js'),
  secret: () => import('./commands/secret.js'),
  doctor: () => import('./commands/doctor.js'),
}
const [, , commandName = ''] = process.argv
const isVersion = commandName === '--version' || commandName === '-V'
const needed = Object.hasOwn(commands, commandName) ? [commandName] : isVersion ? [] : Object.keys(commands)
for (const name of needed) (await commands[name]?.())?.addTo(program)

try {
  await program.parseAsync()
} catch (error) {
  const interruption = interruptionOf(error)
  // A closed connection may keep the process alive until the server has finished its last statement.
  if (interruption) process.exit(interruption.exitCode)
  const { text, exitCode } = errorReport(error)
  if (text !== undefined) console.error(text)
  process.exitCode = exitCode
}
