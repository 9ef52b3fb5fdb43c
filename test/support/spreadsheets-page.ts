import { type Column, type TableName, tableNames, tables } from '../../src/ingest/tables/columns.js'

/** docs/spreadsheets.md, generated from the columns. */
export function spreadsheetsPage(): string {
  return `# Spreadsheet columns

The columns that \`waybill import --as ...\` reads. The rules for cells and files are in [import.md](import.md#spreadsheets). This page is
generated: \`npm run test:only -- test/ingest/spreadsheets.test.ts -u\`.

A file is CSV (separated by commas, semicolons or tabs, whichever the header row uses) or XLSX. The rows of a record are consecutive.
A record that appears again further down is an error at every appearance after the first, and \`--skip-invalid\` then stores

- the first appearance if it is valid, and rejects the others;
- none if the first is invalid: a later one may be a correction, or a mistake.

${tableNames.map(sectionOf).join('\n')}`
}

const required: Partial<Record<TableName, string>> = {
  purchase_orders:
    'which is required, as are `product_lines.product.sku` and `product_lines.ordered_quantity` of every line; an order has at least one line',
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
    case 'container_type':
      return choices.map((choice) => `\`${choice}\``).join(', ')
    case 'code':
      return 'text or number'
    case 'texts':
      return 'list of texts, separated by `; `'
    case 'boolean':
      return '`true` or `false`'
    case 'date_time':
      return 'date and time with UTC offset'
    case 'port':
    case 'container_number':
      return 'text'
    default:
      return type
  }
}
