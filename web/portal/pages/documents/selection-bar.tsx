import { IconFileZip } from '@tabler/icons-react'
import { useEffect } from 'react'
import { portalAddress } from '../../../../src/client/portal-client.js'
import { announce } from '../../../ui/announce.js'
import { Button, ButtonLink } from '../../../ui/button.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { maxSelected, type Selection } from './document-selection.js'
import styles from './documents.module.css'

/** What can be done with the ticked documents, fixed to the lower edge of the window. */
export function SelectionBar({ selection }: { selection: Selection }) {
  const m = useMessages().documents
  const format = useFormat()
  const { documents } = selection
  const size = documents.reduce((sum, document) => sum + document.size, 0)
  const isTooMany = documents.length > maxSelected
  const ids = documents.map(({ id }) => id).join(',')
  const text = isTooMany ? m.tooMany(maxSelected) : m.selected(documents.length, format.bytes(size))
  useEffect(() => {
    if (documents.length > 0) announce(text)
  }, [documents.length, text])
  if (documents.length === 0) return null
  return (
    <div className={styles.selected}>
      <span className={styles.selectedCount}>{text}</span>
      <Button variant="default" onClick={selection.clear}>
        {m.clearSelection}
      </Button>
      {!isTooMany && (
        <ButtonLink
          href={portalAddress('downloadDocuments', { query: { ids } })}
          download
          leftSection={<IconFileZip size={16} stroke={1.8} />}
        >
          {m.zip}
        </ButtonLink>
      )}
    </div>
  )
}
