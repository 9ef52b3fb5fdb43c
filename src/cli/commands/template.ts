import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { Argument, type Command, Option } from 'commander'
import { type TableName, tableNames } from '../../operator/tables/columns.js'
import { Failure } from '../failure.js'

type Flags = { to?: string; xlsx?: string; csv?: true }

export function addTo(program: Command): void {
  program
    .command('template')
    .addArgument(new Argument('<table>', 'what its rows are').choices(tableNames))
    .option('--to <file>', 'write it to a new file, FILE.csv or FILE.xlsx (default: CSV on standard output)')
    .addOption(new Option('--xlsx <file>', 'the same, for FILE.xlsx').conflicts(['to', 'csv']))
    .addOption(new Option('--csv', 'CSV on standard output').conflicts('to'))
    .description('print a table to fill in and import: every column, and a row as an example')
    .action(async (name: TableName, { to, xlsx }: Flags) => {
      const file = xlsx ?? to
      if (file !== undefined) checkExtension(file, xlsx === undefined ? ['.csv', '.xlsx'] : ['.xlsx'])
      const { templateCsv, templateXlsx } = await import('../../operator/tables/template.js')
      if (file === undefined) process.stdout.write(templateCsv(name))
      else await writeNew(file, file.toLowerCase().endsWith('.csv') ? templateCsv(name) : await templateXlsx(name))
    })
}

function checkExtension(file: string, accepted: string[]): void {
  if (accepted.includes(extname(file).toLowerCase())) return
  throw new Failure(`${file}: the name of the file ends with ${accepted.join(' or ')}`, 2)
}

// Never over a table that somebody has filled in.
async function writeNew(file: string, content: string | Buffer): Promise<void> {
  await writeFile(file, content, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new Failure(`${file} is there already`) : error
  })
}
