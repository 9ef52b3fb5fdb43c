import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { newAccount } from '../support/account.js'
import { type ProgramOptions, runProgram, temporaryFolder } from '../support/program.js'
import { startService } from '../support/service.js'
import { xlsxOf } from '../support/tables.js'

const service = await startService()

test('a template is printed or written to a new file, and can be imported unchanged', async () => {
  const { slug, call } = await newAccount(service)
  const folder = await temporaryFolder()
  const printed = await waybill(['template', 'shipments'])
  expect(printed).toMatchObject({ code: 0, stderr: '' })
  expect(printed.stdout).toMatch(/^svc_shipment_id,name,status,.*\r\nEXAMPLE-1,/)
  expect((await waybill(['template', 'shipments', '--csv'])).stdout).toBe(printed.stdout)
  const [csv, xlsx, other] = [join(folder, 't.csv'), join(folder, 't.xlsx'), join(folder, 'o.xlsx')]
  expect((await waybill(['template', 'shipments', '--to', csv])).code).toBe(0)
  expect(await readFile(csv, 'utf8')).toBe(printed.stdout)
  expect((await waybill(['template', 'locations', '--to', xlsx])).code).toBe(0)
  expect((await waybill(['template', 'invoices', '--xlsx', other])).code).toBe(0)
  for (const [table, file] of [
    ['shipments', csv],
    ['locations', xlsx],
    ['invoices', other],
  ] as const) {
    const ended = await waybill(['import', '--as', table, file, '--account', slug])
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toContain(`Imported 1 of 1 ${table}.\n`)
  }
  expect((await call('listShipments')).body).toHaveLength(1)
  const again = await waybill(['template', 'shipments', '--to', csv])
  expect(again).toMatchObject({ code: 1, stderr: `waybill: ${csv} already exists\n` })
})

test('every fault is reported by its cell, nothing is imported, and the exit code is 1; --check changes nothing either', async () => {
  const { slug, call } = await newAccount(service)
  const path = await fileOf('places.csv', 'id,name,requires_appointment\n1,A,yes\n2,B,perhaps\nthree,C,no\n')
  const ended = await waybill(['import', '--as', 'locations', path, '--account', slug])
  expect(ended).toMatchObject({ code: 1, stdout: 'Nothing was changed: 1 of 3 locations are valid.\n' })
  expect(ended.stderr).toBe(
    [
      'row 3, column C (requires_appointment): must be true or false (or yes or no)',
      'row 4, column A (id): must be a number',
      'waybill: 2 invalid locations: nothing was imported\n',
    ].join('\n'),
  )
  const good = await fileOf('good.csv', 'id\n1\n')
  const checked = await waybill(['import', '--as', 'locations', good, '--account', slug, '--check'])
  expect(checked).toMatchObject({ code: 0, stderr: '' })
  expect(checked.stdout).toBe(
    'Nothing was changed: 1 of 1 locations are valid.\nIt would change 0 values of stored records; 0 of them would be lost.\n',
  )
  expect((await call('listLocations')).body).toEqual([])
})

test('--skip-invalid imports the valid rows and writes the invalid ones to FILE.rejected.csv, to be corrected and imported', async () => {
  const { slug, call } = await newAccount(service)
  const folder = await temporaryFolder()
  const path = join(folder, 'places.xlsx')
  await writeFile(
    path,
    await xlsxOf([
      { sheet: 'Notes', data: [['Not a table']] },
      {
        sheet: 'One',
        data: [
          ['name', 'id'],
          ['A', 1],
          ['B, "b"', 'two'],
          ['B, "b"', 'two'],
        ],
      },
      {
        sheet: 'Two',
        data: [
          ['id', 'city'],
          [3, 'C'],
          ['four', 'D'],
        ],
      },
    ]),
  )
  const ended = await waybill(['import', '--as', 'locations', path, '--account', slug, '--skip-invalid', '--json'])
  expect(ended.code).toBe(0)
  expect(JSON.parse(ended.stdout)).toMatchObject({ kept: true, lines: 4, rejected: 2, unread_sheets: ['Notes'] })
  expect(ended.stderr).toBe(
    [
      'One, row 3, column B (id): must be a number',
      'Two, row 3, column A (id): must be a number',
      'Notes: skipped, because it has no column of locations\n',
    ].join('\n'),
  )
  const rejected = await readFile(`${path}.rejected.csv`, 'utf8')
  expect(rejected.split('\r\n').slice(1)).toEqual([
    'two,,"B, ""b""",,,,,,,,,,,',
    'two,,"B, ""b""",,,,,,,,,,,',
    'four,,,,D,,,,,,,,,',
    '',
  ])
  await writeFile(`${path}.rejected.csv`, rejected.replaceAll('two', '2').replace('four', '4'))
  expect((await waybill(['import', '--as', 'locations', `${path}.rejected.csv`, '--account', slug])).code).toBe(0)
  expect((await call('listLocations')).body).toEqual([
    { id: 1, name: 'A' },
    { id: 2, name: 'B, "b"' },
    { id: 3, city: 'C' },
    { id: 4, city: 'D' },
  ])
})

test('a tab-separated file is imported, and --skip-invalid rejects all rows of a record with an invalid first row', async () => {
  const { slug, call } = await newAccount(service)
  const path = await fileOf('places.tsv', 'id\tname\trequires_appointment\n1\tA, B\tperhaps\n2\tC; D\tno\n1\tE\tyes\n')
  const ended = await waybill(['import', '--as', 'locations', path, '--account', slug, '--skip-invalid'])
  expect(ended.stderr).toBe(
    [
      'row 2, column C (requires_appointment): must be true or false (or yes or no)',
      'row 4, column A (id): is already in row 2: the rows of one record must follow each other\n',
    ].join('\n'),
  )
  expect(ended.code).toBe(0)
  expect((await call('listLocations')).body).toEqual([{ id: 2, name: 'C; D', requires_appointment: false }])
  const rejected = (await readFile(`${path}.rejected.csv`, 'utf8')).split('\r\n')
  expect(rejected.slice(1).map((row) => row.replaceAll(/,{2,}/g, ' '))).toEqual(['1 "A, B" perhaps ', '1 E yes ', ''])
})

test('invalid arguments exit with 2, and unreadable files with 1', async () => {
  const { slug } = await newAccount(service)
  const csv = await fileOf('a.csv', 'id\n1\n')
  const table = ['import', '--as', 'locations']
  const cases: [args: string[], code: number, message: RegExp][] = [
    [[...table, csv], 2, /--as requires --account/],
    [['import', csv], 2, /state the kind of its rows with --as shipments\|locations\|invoices/],
    [['import', 'lines.ndjson', '--account', slug], 2, /--account requires --as/],
    [['import', '--as', 'lamps', csv, '--account', slug], 2, /Allowed choices are shipments, locations, invoices/],
    [[...table, 'a.ods', '--account', slug], 2, /must end with \.csv, \.tsv or \.xlsx/],
    [['template', 'locations', '--to', 'a.ods'], 2, /must end with \.csv or \.xlsx/],
    [[...table, '/nowhere/a.csv', '--account', slug], 1, /there is no file \/nowhere\/a\.csv/],
    [[...table, csv, '--account', 'nobody-here'], 1, /there is no account nobody-here/],
    [[...table, await fileOf('b.csv', ''), '--account', slug], 1, /b\.csv is empty/],
    [[...table, await fileOf('c.xlsx', 'id\n1\n'), '--account', slug], 1, /c\.xlsx is not an XLSX file/],
    [
      [...table, await fileOf('d.csv', 'id,nam\n1,A\n'), '--account', slug, '--skip-invalid'],
      1,
      /the header is not valid/,
    ],
  ]
  for (const [args, code, message] of cases) {
    const ended = await waybill(args)
    expect(ended.stderr).toMatch(message)
    expect(ended.code, ended.stderr).toBe(code)
  }
})

test('a long CSV file is imported in bounded memory', async () => {
  const { slug, call } = await newAccount(service)
  const rows = Array.from({ length: 4800 }, (_, index) => `I-${index >> 1},line ${index},${'x'.repeat(10_000)}\n`)
  const path = await fileOf('many.csv', `reference,lines.category,lines.description\n${rows.join('')}`)
  const ended = await waybill(['import', '--as', 'invoices', path, '--account', slug, '--json'], {
    nodeOptions: ['--max-old-space-size=48'],
    timeout: 170_000,
  })
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(ended.stdout)).toMatchObject({ lines: 2400, kinds: { invoice: { created: 2400 } } })
  const { body } = await call('getInvoice', { params: { reference: 'I-2399' } })
  expect(body.lines?.map(({ category }) => category)).toEqual(['line 4798', 'line 4799'])
})

async function fileOf(name: string, content: string): Promise<string> {
  const path = join(await temporaryFolder(), name)
  await writeFile(path, content)
  return path
}

async function waybill(args: string[], options: ProgramOptions = {}) {
  const env = { DATABASE_URL: inject('databaseUrl'), WAYBILL_DATA_DIR: service.dataFolder, ...options.env }
  return runProgram(args, { ...options, env })
}

test('--check lists what a table would change, and with --replace what would be lost', async () => {
  const { slug, call } = await newAccount(service)
  const first = await fileOf('first.csv', 'id,name,city\n1,A,Boston\n')
  expect((await waybill(['import', '--as', 'locations', first, '--account', slug])).code).toBe(0)
  const second = await fileOf('second.csv', 'id,name\n1,B\n')
  const base = ['import', '--as', 'locations', second, '--account', slug]
  const checked = await waybill([...base, '--check', '--replace'])
  expect(checked).toMatchObject({ code: 0, stderr: '' })
  expect(checked.stdout.split('\n')).toEqual([
    '1: name: "A" -> "B"',
    '1: city: "Boston" -> (none)',
    'Nothing was changed: 1 of 1 locations are valid.',
    'It would change 2 values of stored records; 1 of them would be lost.',
    '',
  ])
  const merged = await waybill([...base, '--check', '--json'])
  expect(JSON.parse(merged.stdout)).toMatchObject({
    changes: [{ id: '1', field: 'name', from: 'A', to: 'B' }],
    change_count: 1,
    lost_count: 0,
  })
  expect((await waybill(base)).code).toBe(0)
  expect((await call('listLocations')).body).toEqual([{ id: 1, name: 'B', city: 'Boston' }])
  const lines = await fileOf('lines.ndjson', '')
  expect(await waybill(['import', lines, '--replace'])).toMatchObject({ code: 2 })
})
