import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMessages } from '../../../portal/i18n/messages.js'
import { Button } from '../../../ui/button.js'
import { CheckboxGroup, RadioGroup } from '../../../ui/choices.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { useDraft } from '../../../ui/use-draft.js'
import actions from '../../actions/actions.module.css'
import { useActions } from '../../actions/use-actions.js'
import { accountsQuery } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import styles from './people.module.css'

type Props = {
  name: string
  accounts: string[] | undefined
  onClose: () => void
  save: (accounts: string[] | null) => Promise<unknown>
}

/** Which customers one of the forwarder's people works for: every one, or these. */
export function AccountsDialog({ name, accounts, onClose, save }: Props) {
  const { common } = useMessages()
  const { people: m } = useOfficeMessages()
  const { run, isBusy } = useActions()
  const { data = [] } = useQuery(accountsQuery())
  const [{ isLimited, chosen }, change, drop] = useDraft(`accounts of ${name}`, {
    isLimited: accounts !== undefined,
    chosen: accounts ?? [],
  })
  const [error, setError] = useState<unknown>()
  const close = () => {
    drop()
    onClose()
  }
  const submit = () => {
    setError(undefined)
    return run(
      async () => {
        await save(isLimited ? chosen : null)
        close()
        return { text: m.accountsChanged(name), undo: () => save(accounts ?? null) }
      },
      async (refusal) => setError(refusal),
    )
  }
  return (
    <Dialog title={m.accountsOf(name)} onClose={close}>
      <div className={actions.form}>
        <RadioGroup<'all' | 'some'>
          label={m.worksFor}
          isStacked
          value={isLimited ? 'some' : 'all'}
          onChange={(value) => change({ isLimited: value === 'some' })}
          options={[
            { value: 'all', label: m.allAccounts },
            { value: 'some', label: m.someAccounts },
          ]}
        />
        {isLimited && (
          <div className={styles.accounts}>
            <CheckboxGroup
              label={m.accounts}
              isStacked
              value={chosen}
              onChange={(slugs) => change({ chosen: slugs })}
              options={data.map(({ slug, name: label }) => ({ value: slug, label, description: slug }))}
            />
          </div>
        )}
        {error !== undefined && <ErrorNotice error={error} />}
        <DialogActions>
          <Button variant="default" onClick={close}>
            {common.cancel}
          </Button>
          <Button loading={isBusy} disabled={isLimited && chosen.length === 0} onClick={() => void submit()}>
            {common.save}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
