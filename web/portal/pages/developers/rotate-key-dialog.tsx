import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { UsedKey } from '../../../../src/contract/portal/keys.js'
import { Button } from '../../../ui/button.js'
import { systemTime } from '../../../ui/clock.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { SelectField } from '../../../ui/field.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { useDeveloperMessages } from '../../i18n/developers.js'
import { useMessages } from '../../i18n/messages.js'
import { CreatedKey } from './created-key.js'
import styles from './developers.module.css'
import type { KeyAccess } from './key-access.js'

/** Hours that the old key works on. */
const overlaps = ['0', '1', '24', '168', '720'] as const
type Overlap = (typeof overlaps)[number]

/** Replaces a key: asks how long the old one works on, then shows the new one once. */
export function RotateKeyDialog({ access, of, onClose }: { access: KeyAccess; of: UsedKey; onClose(): void }) {
  const m = useDeveloperMessages()
  const { common } = useMessages()
  const name = of.name ?? m.unnamed
  const client = useQueryClient()
  const [hours, setHours] = useState<Overlap>('24')
  const [secret, setSecret] = useState<string>()
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })

  const rotate = async (event: FormEvent) => {
    event.preventDefault()
    setState({ isBusy: true })
    try {
      const old_until = new Date(systemTime() + Number(hours) * 3_600_000).toISOString()
      const { key } = await access.rotate(of.key_id, old_until)
      void client.invalidateQueries({ queryKey: access.query.queryKey })
      setSecret(key)
    } catch (error) {
      setState({ isBusy: false, error })
    }
  }

  if (secret !== undefined)
    return (
      <Dialog title={m.rotatedTitle(name)} onClose={onClose} isPersistent>
        <CreatedKey secret={secret} onDone={onClose} />
      </Dialog>
    )
  return (
    <Dialog title={m.rotateTitle(name)} onClose={onClose} isPersistent>
      <form onSubmit={(event) => void rotate(event)} className={styles.form}>
        <p>{m.rotateText}</p>
        <SelectField<Overlap>
          label={m.oldKeyWorks}
          value={hours}
          onChange={setHours}
          options={overlaps.map((value) => ({ value, label: m.overlaps[value] }))}
        />
        {state.error !== undefined && <ErrorNotice error={state.error} />}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={state.isBusy}>
            {m.rotate}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
