const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

/** Texts of the grid of shipments. */
export const englishGrid = {
  title: 'Edit shipments',
  open: 'Edit in a grid',
  loading: 'Loading shipments',
  shipment: 'Shipment',
  customer: 'Customer',
  value: 'Value',
  change: 'Change',
  empty: 'nothing',
  undo: 'Undo',
  discard: 'Discard all edits',
  readOnly: 'Your role can look at shipments, but not change them.',
  leftOut: (lines: number) => `${counted(lines, 'line', 'lines')} of what you pasted found no row and were left out.`,
  tooMany: (count: number) => `Only the first ${count} shipments are shown. Use the filters to see others.`,
  none: 'No shipments match',
  noneText: 'Change the filters, or go back to the list.',
  reviewCount: (count: number) =>
    count === 0 ? 'Review changes' : `Review ${counted(count, 'shipment', 'shipments')}`,
  review: 'What will change',
  willChange: (shipments: number, fields: number) =>
    `${counted(fields, 'value', 'values')} of ${counted(shipments, 'shipment', 'shipments')}.`,
  conflicts: (count: number) =>
    `${counted(count, 'shipment was', 'shipments were')} changed by somebody else meanwhile. Nothing was overwritten.`,
  refused: (count: number) =>
    `${counted(count, 'shipment has', 'shipments have')} a value that cannot be stored. Nothing of it is written.`,
  mine: (value: string) => `Yours: ${value}`,
  theirs: (value: string) => `Theirs: ${value}`,
  back: 'Back to the grid',
  write: (count: number) => `Change ${counted(count, 'shipment', 'shipments')}`,
  written: (count: number) => `${counted(count, 'shipment', 'shipments')} changed.`,
  keys: {
    title: 'In the grid',
    open: 'Open the grid, from the list',
    down: 'Down, and up with Shift',
    across: 'Across, and back with Shift; Esc first leaves the grid',
    edit: 'Edit the cell; typing replaces it',
    select: 'Select cells',
    clear: 'Clear',
    copy: 'Copy and paste, also from a spreadsheet',
    fill: 'Fill down',
    undo: 'Undo and redo',
    review: 'What will change',
  },
}
