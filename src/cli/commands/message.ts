import { type Command, Option } from 'commander'
import { type MessageDetails, type MessageFormat, messageFormats } from '../../contract/operator/messages.js'
import { formatOf, mostMessageBytes } from '../../domain/messages/message-format.js'
import { takeMessage } from '../../usecases/messages/receive-message.js'
import { Failure } from '../failure.js'
import { openFile } from '../file-failure.js'
import { withStorage } from '../open-storage.js'
import { readSettings } from '../settings.js'

type Flags = { sender: string; format?: MessageFormat; json?: true }

export function addTo(program: Command): void {
  const message = program.command('message').description('messages of carriers about shipments')

  message
    .command('import')
    .argument(
      '<file...>',
      'messages as they came: EDIFACT IFTSTA, X12 315 or 214, DCSA or our own JSON, or tables of events (.csv, .xlsx)',
    )
    .requiredOption('--sender <name>', 'who sent them')
    .addOption(new Option('--format <format>', 'instead of the one that the content has').choices(messageFormats))
    .option('--json', 'print the outcome as JSON lines')
    .description('store messages in the inbox and apply their events')
    .action(async (files: string[], flags: Flags) => {
      if (!/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}$/.test(flags.sender))
        throw new Failure('--sender must be 1 to 100 letters, digits, spaces, dots, hyphens or underscores', 2)
      const contents: { file: string; content: Buffer; format: MessageFormat }[] = []
      for (const file of files) contents.push({ file, ...(await readMessage(file, flags.format)) })
      const settings = readSettings(process.env)
      let unreadable = 0
      await withStorage(settings, async ({ db }) => {
        const onError = (error: unknown) => console.error((error as Error).message)
        for (const { file, content, format } of contents) {
          const given = { sender: flags.sender, format, channel: 'file', content } as const
          const taken = await takeMessage(db, given, { quotas: settings.quotas, onError })
          if (taken.outcome === 'unreadable') unreadable += 1
          console.log(flags.json ? JSON.stringify({ file, ...taken }) : describe(file, taken))
        }
      })
      if (unreadable > 0) throw new Failure(`${unreadable} of ${files.length} messages cannot be read`)
    })
}

async function readMessage(file: string, format: MessageFormat | undefined) {
  const handle = await openFile(file)
  try {
    if ((await handle.stat()).size > mostMessageBytes)
      throw new Failure(`${file} is larger than ${mostMessageBytes / 1024 / 1024} MiB`, 1)
    const content = await handle.readFile()
    if (format !== undefined) return { content, format }
    const found = formatOf(content, file)
    if ('fault' in found) throw new Failure(`${file}: ${found.fault.replace(/\.$/, '')}`, 1)
    return { content, format: found.format }
  } finally {
    await handle.close()
  }
}

function describe(file: string, { message_id, outcome, counts, reason, warnings = [] }: MessageDetails): string {
  const events = counts.events === 1 ? '1 event' : `${counts.events} events`
  const notes = [...(reason === undefined ? [] : [reason]), ...warnings.map((warning) => `Warning: ${warning}.`)]
  return [`${file}: message ${message_id}, ${outcome}, ${events}`, ...notes].join('\n  ')
}
