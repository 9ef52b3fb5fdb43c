import { type Command, Option } from 'commander'
import { codeOperations } from '../../contract/operator/code-operations.js'
import {
  type CodeFormat,
  CodeMapping,
  codeFormats,
  mappedStatuses,
  type SenderCode,
} from '../../contract/operator/codes.js'
import { EventCode } from '../../contract/public/event-code.js'
import { eventCodes } from '../../contract/public/event-codes.js'
import { Refusal } from '../../contract/refusals.js'
import { validatorOf } from '../../contract/validation.js'
import type { Database, Reader, TransactionSql } from '../../database/database.js'
import { commandLine } from '../../store/audit.js'
import { mapCodeIn, readCodes, unmapCodeIn } from '../../usecases/messages/sender-codes.js'
import { Failure } from '../failure.js'
import { withStorage } from '../open-storage.js'
import { readSettings } from '../settings.js'
import { table } from '../table.js'

type ListFlags = { sender?: string; format?: CodeFormat; state?: 'unknown' | 'mapped' | 'all'; json?: true }
type KeyFlags = { sender: string; code: string; format?: CodeFormat; json?: true }
type MapFlags = KeyFlags & { to: string; status?: string }

export function addTo(program: Command): void {
  const codes = program
    .command('codes')
    .description('codes and texts of senders that are not known, and what they mean')

  codes
    .command('list')
    .option('--sender <name>', 'of this sender alone')
    .addOption(formatOption())
    .addOption(new Option('--state <state>', 'which of them').choices(['unknown', 'mapped', 'all']).default('unknown'))
    .option('--json', 'print the result as JSON')
    .description('list the codes and texts that are not known, by sender, and how many events had each')
    .action(async (flags: ListFlags) => {
      const found = await withDatabase((db) => allCodes(db, flags))
      console.log(flags.json ? JSON.stringify(found) : table(found.map(rowOf)))
    })

  addKeyOptions(codes.command('map'))
    .requiredOption('--to <code>', 'what it means: one of `codes vocabulary`')
    .addOption(new Option('--status <status>', 'where the code itself says so').choices(mappedStatuses))
    .description('say once what a code or text of a sender means; the messages with it are processed again')
    .action(async ({ to, status, ...flags }: MapFlags) => {
      const mapping = checked({ mapped_to: to.toUpperCase(), ...(status !== undefined && { mapped_status: status }) })
      const by = { author: commandLine.actor, actor: commandLine }
      const mapped = await inTransaction(flags, (sql, key) => mapCodeIn(sql, key, mapping, by))
      const { sender, code, mapped_to, reopened } = mapped
      console.log(
        flags.json
          ? JSON.stringify(mapped)
          : `${sender}: ${code} means ${mapped_to}. ${countOf(reopened)} processed again by the running service.`,
      )
    })

  addKeyOptions(codes.command('unmap'))
    .description('remove what a code or text of a sender means; the messages with it are processed again')
    .action(async (flags: KeyFlags) => {
      const by = { author: commandLine.actor, actor: commandLine }
      const removed = await inTransaction(flags, (sql, key) => unmapCodeIn(sql, key, by))
      const { sender, code, reopened } = removed
      const text = `${sender}: ${code} has no meaning any more. ${countOf(reopened)} processed again by the running service.`
      console.log(flags.json ? JSON.stringify(removed) : text)
    })

  codes
    .command('vocabulary')
    .option('--json', 'print the result as JSON')
    .description('list the codes of events, which those of senders are mapped to')
    .action(({ json }: { json?: true }) => {
      const { 'x-enumDescriptions': meanings } = EventCode as unknown as {
        'x-enumDescriptions': Record<string, string>
      }
      const known = eventCodes.map((code) => ({ code, meaning: meanings[code] ?? '' }))
      console.log(json ? JSON.stringify(known) : table(known))
    })
}

function formatOption(): Option {
  return new Option('--format <format>', 'the list of codes; needed where a code is in several').choices(codeFormats)
}

function addKeyOptions(command: Command): Command {
  return command
    .requiredOption('--sender <name>', 'whose code it is')
    .requiredOption('--code <code>', 'the code or text, as `codes list` shows it')
    .addOption(formatOption())
    .option('--json', 'print the result as JSON')
}

const mostOfPage = 200

async function allCodes(db: Reader, { sender, format, state = 'all' }: ListFlags): Promise<SenderCode[]> {
  const all: SenderCode[] = []
  let after: string | undefined
  do {
    const page = await readCodes(db, {
      take: mostOfPage,
      ...(sender !== undefined && { sender }),
      ...(format !== undefined && { format }),
      ...(state !== 'all' && { state }),
      ...(after !== undefined && { after }),
    })
    all.push(...page.codes)
    after = page.next
  } while (after !== undefined)
  return all
}

function checked(mapping: unknown): CodeMapping {
  try {
    return validatorOf(CodeMapping).check(mapping)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Failure(`--to must be one of the codes that \`waybill codes vocabulary\` lists`, 2)
  }
}

const keyOf = validatorOf(codeOperations.mapCode.params)
type CodeKey = ReturnType<typeof keyOf.check>

/** The list that a code is in, unless it is given. */
async function formatOf(sql: TransactionSql, { sender, code, format }: KeyFlags): Promise<CodeFormat> {
  if (format !== undefined) return format
  const formats = (await allCodes(sql, { sender })).filter((each) => each.code === code).map((each) => each.format)
  const [only] = formats
  if (only !== undefined && formats.length === 1) return only
  const lists = (formats.length > 0 ? formats : codeFormats).join(', ')
  const reason = formats.length > 0 ? 'has this code in several lists' : 'has not sent this code yet'
  throw new Failure(`the sender ${sender} ${reason}: add --format with one of ${lists}`, 2)
}

async function inTransaction<Result>(
  flags: KeyFlags,
  work: (sql: TransactionSql, key: CodeKey) => Promise<Result>,
): Promise<Result> {
  try {
    return await withDatabase((db) =>
      db.begin(async (sql) => {
        const { sender, code } = flags
        return work(sql, keyOf.check({ sender, code, format: await formatOf(sql, flags) }))
      }),
    )
  } catch (error) {
    const [fault] = error instanceof Refusal && error.code === 'invalid_request' ? (error.faults ?? []) : []
    if (!fault) throw error
    throw new Failure(`--${fault.pointer.slice(1)}: ${fault.detail}`, 2)
  }
}

function withDatabase<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
  return withStorage(readSettings(process.env), ({ db }) => work(db))
}

function countOf(messages: number): string {
  return messages === 1 ? '1 message is' : `${messages} messages are`
}

function rowOf({ sender, format, code, text = '', count, last_message_id, mapped_to }: SenderCode) {
  return {
    sender,
    format,
    code,
    text,
    events: String(count),
    last_message: String(last_message_id ?? ''),
    mapped_to: mapped_to ?? '',
  }
}
