import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { announce } from '../../../ui/announce.js'
import { Button } from '../../../ui/button.js'
import { useMessages } from '../../i18n/messages.js'
import styles from './developers.module.css'

type Props = { text: string; label: string; copy: string; isProminent?: boolean }

/** Code with a copy button. */
export function CodeBlock({ text, label, copy, isProminent = false }: Props) {
  const { common } = useMessages()
  const [isCopied, setCopied] = useState<boolean>()
  const buttonText = isCopied === undefined ? copy : isCopied ? common.copied : common.copyFailed
  const report = (worked: boolean) => {
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
          () => report(true),
          () => report(false),
        )
      }}
    >
      {buttonText}
    </Button>
  )
  return (
    <div className={styles.block} data-prominent={isProminent || undefined}>
      <div className={styles.blockHead}>
        <h3 className={styles.small}>{label}</h3>
        {button}
      </div>
      {/* Focusable, so that it can be scrolled with the keyboard. */}
      <pre className={styles.code} tabIndex={0} aria-label={label} role="group">
        <code>{text}</code>
      </pre>
    </div>
  )
}
