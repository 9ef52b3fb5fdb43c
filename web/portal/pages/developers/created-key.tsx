import { IconExternalLink } from '@tabler/icons-react'
import { Button } from '../../../ui/button.js'
import { DialogActions } from '../../../ui/dialog.js'
import { useDeveloperMessages } from '../../i18n/developers.js'
import { otherPaths } from '../../paths.js'
import { CodeBlock } from './code-block.js'
import styles from './developers.module.css'

export function CreatedKey({ secret, onDone }: { secret: string; onDone(): void }) {
  const m = useDeveloperMessages()
  const command = `curl '${window.location.origin}/v1/shipments?take=1' \\\n  -H 'Authorization: Bearer ${secret}'`
  return (
    <div className={styles.form}>
      <p>{m.createdText}</p>
      <CodeBlock text={secret} label={m.key} copy={m.copyKey} isProminent />
      <CodeBlock text={command} label={m.tryIt} copy={m.copyCommand} />
      <p className="small soft">
        <a
          href={otherPaths.reference}
          target="_blank"
          rel="opener"
          className={styles.reference}
          onClick={() => handKeyOver(secret)}
        >
          {m.openReference}
          <IconExternalLink size={14} aria-hidden="true" />
        </a>
        <br />
        {m.openReferenceHint}
      </p>
      <DialogActions>
        <Button onClick={onDone}>{m.done}</Button>
      </DialogActions>
    </div>
  )
}

/**
 * A tab opened with `rel="opener"` starts with a copy of this tab's session storage. The reference reads the key there;
 * here it is removed.
 */
function handKeyOver(secret: string): void {
  const place = 'waybill-key /docs'
  sessionStorage.setItem(place, secret)
  setTimeout(() => sessionStorage.removeItem(place), 0)
}
