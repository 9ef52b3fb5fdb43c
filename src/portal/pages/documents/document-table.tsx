import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/InlineInput.css'
import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Document } from '../../../contract/document.js'
import { useMessages } from '../../i18n/messages.js'
import type { Chosen } from './chosen-documents.js'
import { DocumentRow } from './document-row.js'
import styles from './documents.module.css'

/** Documents that belong together, under a heading if they have one. */
export type TableGroup = { key: string; name: string; heading?: ReactNode; documents: Document[] }

type Props = {
  groups: TableGroup[]
  chosen: Chosen
  /** What the headings of the groups say already. */
  without?: 'type' | 'shipment' | undefined
  onShow(document: Document): void
}

/** Documents to be looked at, downloaded, or ticked to be downloaded together. */
export function DocumentTable({ groups, chosen, without, onShow }: Props) {
  const m = useMessages().documents
  const columns = [
    ...(without === 'type' ? [] : (['type'] as const)),
    'name' as const,
    ...(without === 'shipment' ? [] : (['shipment'] as const)),
    'uploaded' as const,
    'size' as const,
  ]
  // The roles are told because a phone no longer lays it out as a table.
  return (
    <table role="table" className={`panel ${styles.table}`} aria-label={m.title}>
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col" className={styles.tick}>
            <ChooseAll label={m.chooseEvery} documents={groups.flatMap(({ documents }) => documents)} chosen={chosen} />
          </th>
          {columns.map((column) => (
            <th key={column} role="columnheader" scope="col" className={styles[column]}>
              {m[column]}
            </th>
          ))}
          <th role="columnheader" scope="col" className={styles.act}>
            <span className="visually-hidden">{m.download}</span>
          </th>
        </tr>
      </thead>
      {groups.map(({ key, name, heading, documents }) => (
        <tbody key={key} role="rowgroup">
          {heading !== undefined && (
            <tr role="row" className={styles.group}>
              <td role="cell" className={styles.tick}>
                <ChooseAll label={m.chooseAll(name)} documents={documents} chosen={chosen} />
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
              isChosen={chosen.has(document.id)}
              onChoose={(isChosen) => chosen.set([document], isChosen)}
              onShow={() => onShow(document)}
            />
          ))}
        </tbody>
      ))}
    </table>
  )
}

function ChooseAll({ label, documents, chosen }: { label: string; documents: Document[]; chosen: Chosen }) {
  const count = documents.filter(({ id }) => chosen.has(id)).length
  const areAll = count === documents.length
  return (
    <Checkbox
      size="xs"
      aria-label={label}
      checked={areAll}
      indeterminate={count > 0 && !areAll}
      onChange={() => chosen.set(documents, !areAll)}
    />
  )
}
