import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { faultsByPointer, refusalCodeOf } from '../../../portal/api/client.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { Button } from '../../../ui/button.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { Field } from '../../../ui/field.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { useDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { useActions } from '../../actions/use-actions.js'
import { ops } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'

export const newCustomerDraft = 'new customer'

/** As the name suggests it: lower case, digits and hyphens. */
function slugOf(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/(?:^-+|-+$)/g, '')
    .slice(0, 40)
}

/** A new account. Its page opens at the people, of whom it has none yet. */
export function NewCustomerDialog({ onClose }: { onClose: () => void }) {
  const { customers: m } = useOfficeMessages()
  const { common } = useMessages()
  const router = useRouter()
  const { run, isBusy } = useActions()
  const [draft, change, drop] = useDraft(newCustomerDraft, { name: '', slug: '' })
  const [error, setError] = useState<unknown>()
  const close = () => {
    drop()
    onClose()
  }
  const create = (event: FormEvent) => {
    event.preventDefault()
    setError(undefined)
    void run(
      async () => {
        const { slug, name } = await ops.createAccount({
          body: { name: draft.name.trim(), slug: draft.slug.trim() || slugOf(draft.name) },
        })
        close()
        await router.navigate({ href: paths.customer(slug, { show: 'people' }) })
        return { text: m.done.created(name) }
      },
      async (refusal) => setError(refusal),
    )
  }
  const faults = faultsByPointer(error)
  const isTaken = refusalCodeOf(error) === 'account_exists'
  return (
    <Dialog title={m.add} onClose={close} isPersistent>
      <form className={actionStyles.form} onSubmit={create}>
        <Field
          label={m.name}
          value={draft.name}
          required
          maxLength={200}
          error={faults['/name']}
          data-autofocus
          autoComplete="off"
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Field
          label={m.slug}
          description={m.slugHint}
          value={draft.slug}
          placeholder={slugOf(draft.name)}
          maxLength={100}
          error={faults['/slug'] ?? (isTaken ? m.slugTaken : undefined)}
          autoComplete="off"
          onChange={(event) => change({ slug: event.currentTarget.value })}
        />
        {error !== undefined && !isTaken && Object.keys(faults).length === 0 && <ErrorNotice error={error} />}
        <DialogActions>
          <Button variant="default" onClick={close}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={isBusy}>
            {m.add}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
