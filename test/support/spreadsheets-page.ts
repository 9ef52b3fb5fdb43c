import { type Column, type TableName, tableNames, tables } from '../../src/operator/tables/columns.js'

/** docs/spreadsheets.md, from the columns as they are. */
export function spreadsheetsPage(): string {
  return `# Columns of spreadsheets

The columns that \`waybill import --as ...\` reads; how it works is in [import.md](import.md#spreadsheets). Written by the test of
it: \`npm run test:only -- test/spreadsheets.test.ts -u\`.

${tableNames.map(sectionOf).join('\n')}`
}

function sectionOf(name: TableName): string {
  const { columns, identifier } = tables[name]
  const lists = [...new Set(columns.flatMap(({ list }) => list?.name ?? []))].map((list) => `\`${list}\``)
  const rows = columns.map((column) => `| \`${column.name}\` | ${contentOf(column)} | ${column.description} |`)
  return `## \`--as ${name}\`

Identified by \`${identifier.name}\`, the only column that is required. Further rows of a record add to ${lists.join(', ')}.

| Column | Content | |
|---|---|---|
${rows.join('\n')}
`
}

function contentOf({ type, choices }: Column): string {
  switch (type) {
    case 'choice':
      return choices.map((choice) => `\`${choice}\``).join(', ')
    case 'code':
      return 'text or number'
    case 'texts':
      return 'texts, separated by `; `'
    case 'boolean':
      return '`true` or `false`'
    case 'date_time':
      return 'date and time with UTC offset'
    default:
      return type
  }
}
