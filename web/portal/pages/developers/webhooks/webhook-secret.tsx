import { Button } from '../../../../ui/button.js'
import { Dialog, DialogActions } from '../../../../ui/dialog.js'
import { useWebhookMessages } from '../../../i18n/webhooks.js'
import { CodeBlock } from '../code-block.js'
import styles from '../developers.module.css'

/** A new secret, which is shown once. */
export function WebhookSecret({ secret, onClose }: { secret: string; onClose(): void }) {
  const m = useWebhookMessages()
  return (
    <Dialog title={m.secretTitle} onClose={onClose} isPersistent>
      <div className={styles.form}>
        <p>{m.secretText}</p>
        <CodeBlock text={secret} label={m.secret} copy={m.copySecret} isProminent />
        <DialogActions>
          <Button onClick={onClose}>{m.done}</Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
