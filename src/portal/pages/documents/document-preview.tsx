import '@mantine/core/styles/Modal.css'
import '@mantine/core/styles/ModalBase.css'
import '@mantine/core/styles/Overlay.css'
import '@mantine/core/styles/Paper.css'
import { Button, Modal } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useMessages } from '../../i18n/messages.js'
import styles from './document-preview.module.css'
import { previewKindOf } from './preview-kind.js'

type Props = {
  /** Of the file. */
  name: string
  /** What it is, above its name. */
  title?: string
  /** Where it is shown from, and where it is downloaded from. */
  address: string
  download: string
  onClose(): void
}

/** A PDF or a picture, over the page that one comes from; whatever else it is can only be downloaded. */
export function DocumentPreview({ name, title, address, download, onClose }: Props) {
  const { common, documents: m } = useMessages()
  return (
    <Modal
      opened
      onClose={onClose}
      centered
      size="min(1000px, 96vw)"
      title={
        <span className={styles.title}>
          {title !== undefined && <span className="strong">{title}</span>}
          <span className={title === undefined ? 'strong' : 'small soft'}>{name}</span>
        </span>
      }
      closeButtonProps={{ 'aria-label': common.close }}
      classNames={{ header: styles.header, title: styles.heading, body: styles.body }}
    >
      <Content name={name} address={address} />
      <div className={styles.acts}>
        <Button
          component="a"
          href={download}
          download={name}
          data-autofocus
          leftSection={<IconDownload size={16} stroke={1.8} />}
        >
          {m.download}
        </Button>
      </div>
    </Modal>
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
  // Telephones, and some browsers of companies, have no viewer of their own.
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
