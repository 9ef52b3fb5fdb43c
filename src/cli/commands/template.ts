import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { Argument, type Command, Option } from 'commander'
import { type TableName, tableNames } from '../../ingest/tables/columns.js'
import { Failure } from '../failure.js'
import { findFileFailure } from '../file-failure.js'

type Flags = { to?: string; xlsx?: string; csv?: true }

export function addTo(program: Command): void {
  program
    .command('template')
    .addArgument(new Argument('<table>', 'the kind of its rows').choices(tableNames))
    .option('--to <file>', 'write it to a new file, FILE.csv or FILE.xlsx (default: CSV on standard output)')
    .addOption(new Option('--xlsx <file>', 'the same, for FILE.xlsx').conflicts(['to', 'csv']))
    .addOption(new Option('--csv', 'CSV on standard output').conflicts('to'))
    .description('print a table template for import: all columns, and an example row')
    .action(async (name: TableName, { to, xlsx }: Flags) => {
      const file = xlsx ?? to
      if (file !== undefined) checkExtension(file, xlsx === undefined ? ['.csv', '.xlsx'] : ['.xlsx'])
      const { templateCsv, templateXlsx } = await import('../../ingest/tables/template.js')
      if (file === undefined) process.stdout.write(templateCsv(name))
      else await writeNew(file, file.toLowerCase().endsWith('.csv') ? templateCsv(name) : await templateXlsx(name))
    })
}

function checkExtension(file: string, accepted: string[]): void {
  if (accepted.includes(extname(file).toLowerCase())) return
  throw new Failure(`${file}: the file name must end with ${accepted.join(' or ')}`, 2)
}

// Never overwrites a table that may be filled in.
async function writeNew(file: string, content: string | Buffer): Promise<void> {
  await writeFile(file, content, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new Failure(`${file} already exists`)
    throw findFileFailure(error, { name: '--to', path: file }) ?? error
  })
}
