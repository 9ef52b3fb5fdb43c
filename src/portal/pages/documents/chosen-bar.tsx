import { Button } from '@mantine/core'
import { IconFileZip } from '@tabler/icons-react'
import { useEffect } from 'react'
import { portalAddress } from '../../../client/portal-client.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { announce } from '../../parts/announce.js'
import { type Chosen, mostChosen } from './chosen-documents.js'
import styles from './documents.module.css'

/** What is done with those that are ticked. It stays in sight, and tells screen readers how many they are. */
export function ChosenBar({ chosen }: { chosen: Chosen }) {
  const m = useMessages().documents
  const format = useFormat()
  const { documents } = chosen
  const size = documents.reduce((sum, document) => sum + document.size, 0)
  const isTooMany = documents.length > mostChosen
  const ids = documents.map(({ id }) => id).join(',')
  const told = isTooMany ? m.tooMany(mostChosen) : m.chosen(documents.length, format.bytes(size))
  useEffect(() => {
    if (documents.length > 0) announce(told)
  }, [documents.length, told])
  if (documents.length === 0) return null
  return (
    <div className={styles.chosen}>
      <span className={styles.chosenCount}>{told}</span>
      <Button variant="default" onClick={chosen.clear}>
        {m.clearChoice}
      </Button>
      {!isTooMany && (
        <Button
          component="a"
          href={portalAddress('downloadDocuments', { query: { ids } })}
          download
          leftSection={<IconFileZip size={16} stroke={1.8} />}
        >
          {m.zip}
        </Button>
      )}
    </div>
  )
}
