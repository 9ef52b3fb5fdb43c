import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { ButtonLink } from '../../../ui/button.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { useMessages } from '../../i18n/messages.js'
import styles from './document-preview.module.css'
import { previewKindOf } from './preview-kind.js'

type Props = {
  /** The file name. */
  name: string
  /** The document type. */
  title?: string
  /** The inline address and the download address. */
  address: string
  download: string
  onClose(): void
}

/** Previews a PDF or an image; other files can only be downloaded. */
export function DocumentPreview({ name, title, address, download, onClose }: Props) {
  const m = useMessages().documents
  return (
    <Dialog
      onClose={onClose}
      isWide
      title={
        <span className={styles.title}>
          {title !== undefined && <span className="strong">{title}</span>}
          <span className={title === undefined ? 'strong' : 'small soft'}>{name}</span>
        </span>
      }
    >
      <Content name={name} address={address} />
      <DialogActions>
        <ButtonLink
          href={download}
          download={name}
          data-autofocus
          leftSection={<IconDownload size={16} stroke={1.8} />}
        >
          {m.download}
        </ButtonLink>
      </DialogActions>
    </Dialog>
  )
}

function Content({ name, address }: { name: string; address: string }) {
  const m = useMessages().documents
  const [hasFailed, setFailed] = useState(false)
  const kind = previewKindOf(name)
  if (kind === undefined) return <p className={styles.nothing}>{m.onlyDownload}</p>
  if (hasFailed) return <p className={styles.nothing}>{m.previewFailed}</p>
  if (kind === 'picture') {
    return <img className={styles.picture} src={address} alt={name} onError={() => setFailed(true)} />
  }
  // Phones and some managed browsers have no PDF viewer.
  if (!navigator.pdfViewerEnabled) {
    return (
      <p className={styles.nothing}>
        {m.noViewer}{' '}
        <a href={address} target="_blank" rel="noreferrer">
          {m.newTab}
        </a>
      </p>
    )
  }
  return <iframe className={styles.frame} src={address} title={name} />
}
