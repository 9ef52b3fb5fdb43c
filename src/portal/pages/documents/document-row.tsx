import '@mantine/core/styles/ActionIcon.css'
import { ActionIcon, Checkbox } from '@mantine/core'
import { IconDownload, IconFileText, IconFileTypePdf, IconPhoto } from '@tabler/icons-react'
import type { Document } from '../../../contract/document.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { AppLink } from '../../parts/app-link.js'
import { DayText } from '../../parts/day-text.js'
import { paths } from '../../paths.js'
import { documentTypeName } from './document-type-name.js'
import styles from './documents.module.css'
import { previewKindOf } from './preview-kind.js'

type Props = {
  document: Document
  without: 'type' | 'shipment' | undefined
  isChosen: boolean
  onChoose(isChosen: boolean): void
  onShow(): void
}

/** One document: what it is opens it; its file, its shipment and its age tell it from others. */
export function DocumentRow({ document, without, isChosen, onChoose, onShow }: Props) {
  const messages = useMessages()
  const m = messages.documents
  const format = useFormat()
  const { name, type, svc_shipment_id, size, uploaded_at, link } = document
  const isNamedByType = without !== 'type'
  return (
    <tr role="row" data-chosen={isChosen || undefined}>
      <td role="cell" className={styles.tick}>
        <Checkbox
          size="xs"
          aria-label={m.choose(name)}
          checked={isChosen}
          onChange={(event) => onChoose(event.currentTarget.checked)}
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
      <td role="cell" className={styles.act}>
        <ActionIcon
          component="a"
          href={link}
          download={name}
          variant="subtle"
          color="gray"
          aria-label={m.downloadOne(name)}
        >
          <IconDownload size={18} stroke={1.6} />
        </ActionIcon>
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
