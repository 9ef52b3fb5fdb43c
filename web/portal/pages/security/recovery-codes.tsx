import { Button } from '../../../ui/button.js'
import { useMessages } from '../../i18n/messages.js'
import { CodeBlock } from '../developers/code-block.js'
import styles from './security.module.css'

type Props = { codes: string[]; done: string; onDone(): void }

/** Recovery codes, which are shown once. */
export function RecoveryCodes({ codes, done, onDone }: Props) {
  const m = useMessages().security
  return (
    <div className={styles.form}>
      <p>{m.codesText}</p>
      <CodeBlock text={codes.join('\n')} label={m.codes} copy={m.copyCodes} isProminent />
      <div className={styles.actions}>
        <Button onClick={onDone}>{done}</Button>
      </div>
    </div>
  )
}
