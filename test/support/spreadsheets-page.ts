import { type Column, type TableName, tableNames, tables } from '../../src/operator/tables/columns.js'

/** docs/spreadsheets.md, from the columns as they are. */
export function spreadsheetsPage(): string {
  return `# Columns of spreadsheets

The columns that \`waybill import --as ...\` reads; how it works is in [import.md](import.md#spreadsheets). Written by the test of
it: \`npm run test:only -- test/spreadsheets.test.ts -u\`.

${tableNames.map(sectionOf).join('\n')}`
}

const required: Partial<Record<TableName, string>> = {
  purchase_orders:
    'which is required, as are `product_lines.product.sku` and `product_lines.ordered_quantity` of every line; an order has one at least',
}

function sectionOf(name: TableName): string {
  const { columns, identifier } = tables[name]
  const lists = [...new Set(columns.flatMap(({ list }) => list?.name ?? []))].map((list) => `\`${list}\``)
  const rows = columns.map((column) => `| \`${column.name}\` | ${contentOf(column)} | ${column.description} |`)
  return `## \`--as ${name}\`

Identified by \`${identifier.name}\`, ${required[name] ?? 'the only column that is required'}. Further rows of a record add to ${lists.join(', ')}.

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
