import type { ReactNode } from 'react'
import type { Document } from '../../../../src/contract/public/document.js'
import { RowCheckbox } from '../../../ui/choices.js'
import { useMessages } from '../../i18n/messages.js'
import { DocumentRow } from './document-row.js'
import type { Selection } from './document-selection.js'
import styles from './documents.module.css'

/** Documents under one heading, or all without any. */
export type TableGroup = { key: string; name: string; heading?: ReactNode; documents: Document[] }

type Props = {
  groups: TableGroup[]
  selection: Selection
  /** The column that the headings of the groups replace. */
  without?: 'type' | 'shipment' | undefined
  onShow(document: Document): void
}

export function DocumentTable({ groups, selection, without, onShow }: Props) {
  const m = useMessages().documents
  const columns = [
    ...(without === 'type' ? [] : (['type'] as const)),
    'name' as const,
    ...(without === 'shipment' ? [] : (['shipment'] as const)),
    'uploaded' as const,
    'size' as const,
  ]
  // With explicit roles: on a phone the layout is not that of a table.
  return (
    <table role="table" className={`panel ${styles.table}`} aria-label={m.title}>
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col" className={styles.tick}>
            <SelectAll
              label={m.selectEvery}
              documents={groups.flatMap(({ documents }) => documents)}
              selection={selection}
            />
          </th>
          {columns.map((column) => (
            <th key={column} role="columnheader" scope="col" className={styles[column]}>
              {m[column]}
            </th>
          ))}
          <th role="columnheader" scope="col" className={styles.action}>
            <span className="visually-hidden">{m.download}</span>
          </th>
        </tr>
      </thead>
      {groups.map(({ key, name, heading, documents }) => (
        <tbody key={key} role="rowgroup">
          {heading !== undefined && (
            <tr role="row" className={styles.group}>
              <td role="cell" className={styles.tick}>
                <SelectAll label={m.selectAll(name)} documents={documents} selection={selection} />
              </td>
              <th role="rowheader" scope="rowgroup" colSpan={columns.length + 1}>
                {heading}
              </th>
            </tr>
          )}
          {documents.map((document) => (
            <DocumentRow
              key={document.id}
              document={document}
              without={without}
              isSelected={selection.has(document.id)}
              onSelect={(isSelected) => selection.set([document], isSelected)}
              onShow={() => onShow(document)}
            />
          ))}
        </tbody>
      ))}
    </table>
  )
}

function SelectAll({ label, documents, selection }: { label: string; documents: Document[]; selection: Selection }) {
  const count = documents.filter(({ id }) => selection.has(id)).length
  const areAll = count === documents.length
  return (
    <RowCheckbox
      label={label}
      checked={areAll}
      isPartial={count > 0 && !areAll}
      onChange={() => selection.set(documents, !areAll)}
    />
  )
}
