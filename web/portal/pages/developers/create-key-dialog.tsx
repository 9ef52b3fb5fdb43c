import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Scope, scopes } from '../../../../src/contract/public/operations.js'
import { isNetwork } from '../../../../src/domain/accounts/networks.js'
import { Button } from '../../../ui/button.js'
import { CheckboxGroup } from '../../../ui/choices.js'
import { systemTime } from '../../../ui/clock.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { Field, SelectField } from '../../../ui/field.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { storeDraft, useDraft } from '../../../ui/use-draft.js'
import { faultsByPointer } from '../../api/client.js'
import { useDeveloperMessages } from '../../i18n/developers.js'
import { useMessages } from '../../i18n/messages.js'
import { CreatedKey } from './created-key.js'
import styles from './developers.module.css'
import type { KeyAccess } from './key-access.js'

type Expiry = '30' | '90' | '365' | 'never' | 'on'
type Draft = { name: string; extent: Extent; scopes: Scope[]; networks: string; expiry: Expiry; day: string }
type Faults = Partial<Record<'name' | 'scopes' | 'networks' | 'day', string>>

/** All resources, or some of them. */
type Extent = 'all' | 'some'
const scopesOf: Record<Extent, Scope[]> = {
  all: ['read', 'write'],
  some: scopes.filter((scope) => scope.includes(':')),
}

const blank: Draft = { name: '', extent: 'all', scopes: ['read'], networks: '', expiry: '90', day: '' }
const msPerDay = 86_400_000

type Props = {
  access: KeyAccess
  /** Within which keys must expire, if they must. */
  maxDays: number | undefined
  onClose(): void
}

/** Under which the form survives a reload; the key itself does not. */
export const newKeyDraft = ({ query }: KeyAccess) => `new key ${JSON.stringify(query.queryKey)}`

/** The form of a new key, then the key itself, which is shown once. */
export function CreateKeyDialog({ access, maxDays, onClose }: Props) {
  const m = useDeveloperMessages()
  const close = () => {
    storeDraft(newKeyDraft(access), undefined)
    onClose()
  }
  const [created, setCreated] = useState<{ key: string; name: string }>()
  return created ? (
    <Dialog title={m.createdTitle(created.name)} onClose={onClose} isPersistent>
      <CreatedKey secret={created.key} onDone={onClose} />
    </Dialog>
  ) : (
    <Dialog title={m.createTitle} onClose={close} isPersistent>
      <KeyForm access={access} maxDays={maxDays} onClose={close} onCreated={setCreated} />
    </Dialog>
  )
}

type FormProps = Props & { onCreated(created: { key: string; name: string }): void }

function KeyForm({ access, maxDays, onClose, onCreated }: FormProps) {
  const m = useDeveloperMessages()
  const { common } = useMessages()
  const client = useQueryClient()
  const [draft, set, drop] = useDraft(newKeyDraft(access), blank)
  const [faults, setFaults] = useState<Faults>({})
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false })

  const create = async (event: FormEvent) => {
    event.preventDefault()
    const found = faultsIn(draft, m)
    setFaults(found)
    if (Object.keys(found).length > 0) return
    setState({ isBusy: true })
    const networks = networksIn(draft)
    const name = draft.name.trim()
    try {
      const { key } = await access.create({
        name,
        scopes: draft.scopes,
        ...(networks.length > 0 && { networks }),
        ...expiryOf(draft),
      })
      void client.invalidateQueries({ queryKey: access.query.queryKey })
      drop()
      onCreated({ key, name })
    } catch (error) {
      const rejected = faultsByPointer(error)
      const networkFault = Object.keys(rejected).find((pointer) => pointer.startsWith('/networks'))
      setFaults({
        name: rejected['/name'],
        scopes: rejected['/scopes'],
        networks: networkFault && m.networksWrong,
        day: rejected['/expires_at'],
      })
      setState({ isBusy: false, error })
    }
  }

  return (
    <form onSubmit={(event) => void create(event)} noValidate className={styles.form}>
      <Field
        label={m.name}
        description={m.nameHint}
        value={draft.name}
        maxLength={255}
        error={faults.name}
        data-autofocus
        autoComplete="off"
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <SelectField<Extent>
        label={m.extent}
        value={draft.extent}
        onChange={(extent) => set({ extent, scopes: [] })}
        options={[
          { value: 'all', label: m.extentAll },
          { value: 'some', label: m.extentSome },
        ]}
      />
      <CheckboxGroup<Scope>
        label={m.scopesLabel}
        isStacked={draft.extent === 'all'}
        value={draft.scopes}
        options={scopesOf[draft.extent].map((value) => ({ value, label: labelOf(value, m) }))}
        error={faults.scopes}
        onChange={(chosen) => set({ scopes: chosen })}
      />
      <Field
        label={m.networks}
        description={m.networksHint}
        value={draft.networks}
        maxLength={2500}
        error={faults.networks}
        autoComplete="off"
        onChange={(event) => set({ networks: event.currentTarget.value })}
      />
      <SelectField<Expiry>
        label={m.expiry}
        value={draft.expiry}
        onChange={(expiry) => set({ expiry })}
        error={draft.expiry === 'on' ? undefined : faults.day}
        options={[
          ...(['30', '90', '365'] as const)
            .filter((days) => maxDays === undefined || Number(days) <= maxDays)
            .map((days) => ({ value: days, label: m.expiryDays(Number(days)) })),
          { value: 'on' as const, label: m.expiryOn },
          ...(maxDays === undefined ? [{ value: 'never' as const, label: m.expiryNever }] : []),
        ]}
      />
      {draft.expiry === 'on' && (
        <Field
          type="date"
          label={m.expiryDate}
          description={m.expiryDateHint}
          value={draft.day}
          min={new Date(systemTime() + msPerDay).toISOString().slice(0, 10)}
          error={faults.day}
          onChange={(event) => set({ day: event.currentTarget.value })}
        />
      )}
      {state.error !== undefined && <ErrorNotice error={state.error} />}
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

type Texts = ReturnType<typeof useDeveloperMessages>

function labelOf(scope: Scope, m: Texts): string {
  if (scope === 'read') return m.scopeRead
  return scope === 'write' ? m.scopeWrite : m.scopeNames[scope]
}

function networksIn({ networks }: Draft): string[] {
  return networks.split(/[\s,;]+/).filter((network) => network !== '')
}

function faultsIn(draft: Draft, m: Texts): Faults {
  const { name, scopes: chosen, expiry, day } = draft
  const isPast = !(Date.parse(`${day}T23:59:59Z`) > systemTime())
  return {
    ...(name.trim() === '' && { name: m.nameMissing }),
    ...(chosen.length === 0 && { scopes: m.scopesMissing }),
    ...(networksIn(draft).some((network) => !isNetwork(network)) && { networks: m.networksWrong }),
    ...(expiry === 'on' && isPast && { day: m.expiryDateMissing }),
  }
}

function expiryOf({ expiry, day }: Draft): { expires_at?: string } {
  if (expiry === 'never') return {}
  if (expiry === 'on') return { expires_at: `${day}T23:59:59Z` }
  return { expires_at: new Date(systemTime() + Number(expiry) * msPerDay).toISOString() }
}
