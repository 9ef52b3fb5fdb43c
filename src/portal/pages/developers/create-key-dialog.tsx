import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Checkbox.css'
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, faultsByPointer } from '../../api/client.js'
import { keysQuery } from '../../api/queries.js'
import { useMessages } from '../../i18n/messages.js'
import { Button } from '../../parts/button.js'
import { Dialog, DialogActions, DialogError } from '../../parts/dialog.js'
import { CreatedKey } from './created-key.js'
import styles from './developers.module.css'

type Scope = 'read' | 'write'
type Expiry = '30' | '90' | '365' | 'never' | 'on'
type Draft = { name: string; scopes: Scope[]; expiry: Expiry; day: string }
type Faults = Partial<Record<'name' | 'scopes' | 'day', string>>

const blank: Draft = { name: '', scopes: ['read'], expiry: '90', day: '' }
const msPerDay = 86_400_000

/** What a key is for and how long it works; then the key itself, this once. */
export function CreateKeyDialog({ onClose }: { onClose(): void }) {
  const m = useMessages().developers
  const [created, setCreated] = useState<{ key: string; name: string }>()
  return created ? (
    <Dialog title={m.createdTitle(created.name)} onClose={onClose} isKept>
      <CreatedKey secret={created.key} onDone={onClose} />
    </Dialog>
  ) : (
    <Dialog title={m.createTitle} onClose={onClose} isKept>
      <KeyForm onClose={onClose} onCreated={setCreated} />
    </Dialog>
  )
}

type FormProps = { onClose(): void; onCreated(created: { key: string; name: string }): void }

function KeyForm({ onClose, onCreated }: FormProps) {
  const { developers: m, common } = useMessages()
  const client = useQueryClient()
  const [draft, setDraft] = useState(blank)
  const [faults, setFaults] = useState<Faults>({})
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change })

  const create = async (event: FormEvent) => {
    event.preventDefault()
    const found = faultsIn(draft, m)
    setFaults(found)
    if (Object.keys(found).length > 0) return
    setState({ isBusy: true })
    const { scopes } = draft
    const name = draft.name.trim()
    try {
      const { key } = await api.portal.createOwnKey({ body: { name, scopes, ...expiryOf(draft) } })
      void client.invalidateQueries({ queryKey: keysQuery().queryKey })
      onCreated({ key, name })
    } catch (error) {
      const told = faultsByPointer(error)
      setFaults({ name: told['/name'], scopes: told['/scopes'], day: told['/expires_at'] })
      setState({ isBusy: false, error })
    }
  }

  return (
    <form onSubmit={(event) => void create(event)} noValidate className={styles.form}>
      <TextInput
        label={m.name}
        description={m.nameHint}
        value={draft.name}
        maxLength={255}
        error={faults.name}
        data-autofocus
        autoComplete="off"
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Checkbox.Group
        label={m.scopesLabel}
        value={draft.scopes}
        error={faults.scopes}
        onChange={(scopes) => set({ scopes })}
      >
        <div className={styles.scopes}>
          <Checkbox value="read" label={m.scopeRead} />
          <Checkbox value="write" label={m.scopeWrite} />
        </div>
      </Checkbox.Group>
      <NativeSelect
        label={m.expiry}
        value={draft.expiry}
        onChange={(event) => set({ expiry: event.currentTarget.value as Expiry })}
        data={[
          ...['30', '90', '365'].map((days) => ({ value: days, label: m.expiryDays(Number(days)) })),
          { value: 'on', label: m.expiryOn },
          { value: 'never', label: m.expiryNever },
        ]}
      />
      {draft.expiry === 'on' && (
        <TextInput
          type="date"
          label={m.expiryDate}
          description={m.expiryDateHint}
          value={draft.day}
          min={new Date(Date.now() + msPerDay).toISOString().slice(0, 10)}
          error={faults.day}
          onChange={(event) => set({ day: event.currentTarget.value })}
        />
      )}
      {state.error !== undefined && <DialogError error={state.error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {common.cancel}
        </Button>
        <Button type="submit" loading={state.isBusy}>
          {m.create}
        </Button>
      </DialogActions>
    </form>
  )
}

type Texts = ReturnType<typeof useMessages>['developers']

function faultsIn({ name, scopes, expiry, day }: Draft, m: Texts): Faults {
  const isPast = !(Date.parse(`${day}T23:59:59Z`) > Date.now())
  return {
    ...(name.trim() === '' && { name: m.nameMissing }),
    ...(scopes.length === 0 && { scopes: m.scopesMissing }),
    ...(expiry === 'on' && isPast && { day: m.expiryDateMissing }),
  }
}

function expiryOf({ expiry, day }: Draft): { expires_at?: string } {
  if (expiry === 'never') return {}
  if (expiry === 'on') return { expires_at: `${day}T23:59:59Z` }
  return { expires_at: new Date(Date.now() + Number(expiry) * msPerDay).toISOString() }
}
