#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { Refusal } from '../contract/refusals.js'
import { isUnreachable } from '../storage/database.js'
import { SchemaTooNew } from '../storage/migrate.js'
import { Failure } from './failure.js'
import { BadSetting } from './settings.js'
import { interruptionOf } from './stop-signal.js'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const program = new Command('waybill')
  .description('Freight forwarding service')
  .version(version)
  .exitOverride()
  .addHelpText(
    'after',
    '\nSettings come from the environment: PORT, HOST, DATABASE_URL, WAYBILL_DATA_DIR and others; see the README.',
  )

type CommandModule = { addTo(program: Command): void }

// Loaded when it is asked for: what a command needs, the others need not wait for.
const commands: Record<string, () => Promise<CommandModule>> = {
  sandbox: () => import('./commands/sandbox.js'),
  serve: () => import('./commands/serve.js'),
  migrate: () => import('./commands/migrate.js'),
  account: () => import('./commands/account.js'),
  key: () => import('./commands/key.js'),
  operator: () => import('./commands/operator.js'),
  import: () => import('./commands/import.js'),
  export: () => import('./commands/export.js'),
  template: () => import('./commands/template.js'),
  generate: () => import('./commands/generate.js'),
  backup: () => import('./commands/backup.js'),
  restore: () => import('./commands/restore.js'),
}
const [, , wanted = ''] = process.argv
const isVersion = wanted === '--version' || wanted === '-V'
const needed = Object.hasOwn(commands, wanted) ? [wanted] : isVersion ? [] : Object.keys(commands)
for (const name of needed) (await commands[name]?.())?.addTo(program)

try {
  await program.parseAsync()
} catch (error) {
  const interruption = interruptionOf(error)
  // A connection that was cut may linger for as long as the server is busy with its last statement.
  if (interruption) process.exit(interruption.exitCode)
  process.exitCode = explain(error)
}

// 2: what was asked for makes no sense; 1: it made sense, and failed.
function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  const message = error instanceof Error ? error.message : String(error)
  if (isUnreachable(error) || isTurnedAway(error)) {
    console.error(`waybill: the database cannot be reached: ${message}`)
    return 1
  }
  if (error instanceof Refusal) {
    console.error(`waybill: ${message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}`)
    return 1
  }
  if (
    error instanceof BadSetting ||
    error instanceof Failure ||
    error instanceof SchemaTooNew ||
    isOfTheSystem(error)
  ) {
    console.error(`waybill: ${message}`)
    return error instanceof BadSetting ? 2 : error instanceof Failure ? error.exitCode : 1
  }
  // What nobody expected is shown whole.
  console.error(error)
  return 1
}

// Fatal to PostgreSQL is what ends a connection: a wrong password, a database that does not exist.
function isTurnedAway(error: unknown): boolean {
  return (error as { severity?: unknown } | undefined)?.severity === 'FATAL'
}

// A folder that may not be written, a full disk: the message names the call and the path.
function isOfTheSystem(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException | undefined)?.syscall === 'string'
}
