import { IconDownload, IconFileText, IconFileTypePdf, IconPhoto } from '@tabler/icons-react'
import type { Document } from '../../../../src/contract/public/document.js'
import { AppLink } from '../../../ui/app-link.js'
import { IconLink } from '../../../ui/button.js'
import { RowCheckbox } from '../../../ui/choices.js'
import { DayText } from '../../../ui/day-text.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { documentTypeName } from './document-type-name.js'
import styles from './documents.module.css'
import { previewKindOf } from './preview-kind.js'

type Props = {
  document: Document
  without: 'type' | 'shipment' | undefined
  isSelected: boolean
  onSelect(isSelected: boolean): void
  onShow(): void
}

export function DocumentRow({ document, without, isSelected, onSelect, onShow }: Props) {
  const messages = useMessages()
  const m = messages.documents
  const format = useFormat()
  const { name, type, svc_shipment_id, size, uploaded_at, link } = document
  const isNamedByType = without !== 'type'
  return (
    <tr role="row" data-selected={isSelected || undefined}>
      <td role="cell" className={styles.tick}>
        <RowCheckbox
          label={m.select(name)}
          checked={isSelected}
          onChange={(event) => onSelect(event.currentTarget.checked)}
        />
      </td>
      {isNamedByType && (
        <td role="cell" className={styles.type}>
          <Opener name={name} onShow={onShow}>
            {documentTypeName(type, messages)}
          </Opener>
        </td>
      )}
      <td role="cell" className={styles.name}>
        {isNamedByType ? (
          <span className="soft clipped" title={name}>
            {name}
          </span>
        ) : (
          <Opener name={name} onShow={onShow}>
            {name}
          </Opener>
        )}
      </td>
      {without !== 'shipment' && (
        <td role="cell" className={styles.shipment}>
          {svc_shipment_id === undefined ? (
            <span className="soft">–</span>
          ) : (
            <AppLink href={paths.shipment(svc_shipment_id)} className="mono">
              {svc_shipment_id}
            </AppLink>
          )}
        </td>
      )}
      <td role="cell" className={styles.uploaded}>
        <DayText date={uploaded_at} isShort />
      </td>
      <td role="cell" className={styles.size}>
        {format.bytes(size)}
      </td>
      <td role="cell" className={styles.action}>
        <IconLink href={link} download={name} aria-label={m.downloadOne(name)}>
          <IconDownload size={18} stroke={1.6} aria-hidden="true" />
        </IconLink>
      </td>
    </tr>
  )
}

function Opener({ name, onShow, children }: { name: string; onShow(): void; children: string }) {
  return (
    <button type="button" className={styles.show} onClick={onShow} title={children}>
      <FileIcon name={name} />
      <span className="clipped">{children}</span>
    </button>
  )
}

const icons = { pdf: IconFileTypePdf, picture: IconPhoto, other: IconFileText }

function FileIcon({ name }: { name: string }) {
  const Icon = icons[previewKindOf(name) ?? 'other']
  return <Icon size={18} stroke={1.5} aria-hidden="true" />
}
