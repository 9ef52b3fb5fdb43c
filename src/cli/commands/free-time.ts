import { readFile, writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { Argument, type Command } from 'commander'
import { type FreeTimeTableResult, freeTimeTables } from '../../contract/operator/free-time.js'
import { Refusal } from '../../contract/refusals.js'
import { commandLine } from '../../store/audit.js'
import { exportTable, type FreeTimeTable, importTable } from '../../usecases/free-time/free-time-tables.js'
import { Failure } from '../failure.js'
import { findFileFailure, openFile } from '../file-failure.js'
import { withStorage } from '../open-storage.js'
import { readSettings } from '../settings.js'

const table = () => new Argument('<table>', 'what its rows are').choices(freeTimeTables)

export function addTo(program: Command): void {
  const freeTime = program.command('free-time').description('rules of free time and calendars of working days')

  freeTime
    .command('import')
    .addArgument(table())
    .argument('<file>', 'CSV or XLSX')
    .option('--check', 'say what would change, and change nothing')
    .description('import a table, all or nothing')
    .action(async (name: FreeTimeTable, file: string, { check = false }: { check?: boolean }) => {
      await (await openFile(file)).close()
      const content = await readFile(file)
      const given = { table: name, content, isCheck: check }
      const result = await withStorage(readSettings(process.env), ({ db }) =>
        importTable(db, given, commandLine).catch((error: unknown) => {
          throw error instanceof Refusal ? new Failure(`${file}: ${reasonOf(error)}`) : error
        }),
      )
      console.log(describe(result, check))
      if (result.faults.length > 0) throw new Failure('the table has errors: nothing was changed')
    })

  freeTime
    .command('export')
    .addArgument(table())
    .argument('<file>', 'a new file, FILE.csv or FILE.xlsx')
    .description('write everything as a table, which can be edited and imported again')
    .action(async (name: FreeTimeTable, file: string) => {
      const format = extname(file).toLowerCase().slice(1)
      if (format !== 'csv' && format !== 'xlsx')
        throw new Failure(`${file}: the file name must end with .csv or .xlsx`, 2)
      const { content } = await withStorage(readSettings(process.env), ({ db }) => exportTable(db, 'all', name, format))
      await writeFile(file, content, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') throw new Failure(`${file} already exists`)
        throw findFileFailure(error, { name: 'the file', path: file }) ?? error
      })
    })
}

function reasonOf({ faults = [], message }: Refusal): string {
  return faults[0]?.detail ?? message
}

function describe({ rows, created, updated, changes, faults }: FreeTimeTableResult, isCheck: boolean): string {
  const done = isCheck || faults.length > 0 ? 'would be ' : ''
  return [
    `${rows} rows: ${created} ${done}created, ${updated} ${done}updated`,
    ...changes.map(({ id, what, fields }) => `  ${id}: ${what}${fields.length > 0 ? ` (${fields.join(', ')})` : ''}`),
    ...faults.map(({ row, column, detail }) => `  row ${row}, column ${column}: ${detail}`),
  ].join('\n')
}
