/** Cells as spreadsheets copy them: separated by tabs, quoted where they contain a tab, a line break or a quote. */

export function clipboardCells(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let rest = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replace(/\n+$/, '')
  while (rest !== '') {
    const quoted = /^"((?:[^"]|"")*)"(?=\t|\n|$)/.exec(rest)
    const plain = /^[^\t\n]*/.exec(rest) as RegExpExecArray
    row.push(quoted ? (quoted[1] ?? '').replaceAll('""', '"') : plain[0])
    rest = rest.slice((quoted ?? plain)[0].length)
    if (rest.startsWith('\n')) {
      rows.push(row)
      row = []
    } else if (rest === '\t') {
      row.push('')
    }
    rest = rest.slice(1)
  }
  if (row.length > 0) rows.push(row)
  return rows
}

export function clipboardText(rows: string[][]): string {
  return rows.map((row) => row.map(quotedCell).join('\t')).join('\n')
}

function quotedCell(value: string): string {
  return /[\t\r\n"]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
