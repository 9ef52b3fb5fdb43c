import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useMessages } from '../../i18n/messages.js'
import { announce } from '../../parts/announce.js'
import { Button } from '../../parts/button.js'
import styles from './developers.module.css'

type Props = { text: string; label: string; copy: string; isProminent?: boolean }

/** Lines to be copied whole. */
export function CodeBlock({ text, label, copy, isProminent = false }: Props) {
  const { common } = useMessages()
  const [isCopied, setCopied] = useState<boolean>()
  const told = isCopied === undefined ? copy : isCopied ? common.copied : common.copyFailed
  const tell = (worked: boolean) => {
    setCopied(worked)
    announce(worked ? common.copied : common.copyFailed)
  }
  const button = (
    <Button
      size="xs"
      variant={isProminent ? 'filled' : 'subtle'}
      leftSection={isCopied ? <IconCheck size={14} aria-hidden="true" /> : <IconCopy size={14} aria-hidden="true" />}
      onClick={() => {
        navigator.clipboard.writeText(text).then(
          () => tell(true),
          () => tell(false),
        )
      }}
    >
      {told}
    </Button>
  )
  return (
    <div className={styles.block} data-prominent={isProminent || undefined}>
      <div className={styles.blockHead}>
        <h3 className={styles.small}>{label}</h3>
        {button}
      </div>
      {/* It may be wider than its place: it can be scrolled, by keyboard too. */}
      <pre className={styles.code} tabIndex={0} aria-label={label} role="group">
        <code>{text}</code>
      </pre>
    </div>
  )
}
