/** Formats rows as aligned columns with a header. */
export function table(rows: Record<string, string>[]): string {
  const [first] = rows
  if (!first) return '(none)'
  const columns = Object.keys(first)
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => (row[column] ?? '').length)))
  const line = (cells: string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd()
  return [
    line(columns.map((column) => column.toUpperCase())),
    ...rows.map((row) => line(columns.map((column) => row[column] ?? ''))),
  ].join('\n')
}
