import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Branding } from '../../../../src/contract/operator/branding.js'
import { faultsByPointer } from '../../../portal/api/client.js'
import { useProductName } from '../../../portal/i18n/messages.js'
import { Button } from '../../../ui/button.js'
import { Field } from '../../../ui/field.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { Section } from '../../../ui/section.js'
import { Lines } from '../../../ui/states.js'
import { useDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { useActions } from '../../actions/use-actions.js'
import { brandingQuery, ops, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import styles from '../shipment/file.module.css'

/** The forwarder's colours and logo, which customers see in the portal. */
export function BrandingForm() {
  const { data } = useQuery(brandingQuery())
  return data ? <Form key={JSON.stringify(data)} branding={data} /> : <Lines count={5} />
}

function Form({ branding }: { branding: Branding }) {
  const { settings: m, customers, people } = useOfficeMessages()
  const name = useProductName()
  const { run, isBusy } = useActions()
  const isAdmin = useMayDo('administer')
  const stored = { color: branding.color ?? '', dark_color: branding.dark_color ?? '', logo: branding.logo ?? '' }
  const [draft, change, drop] = useDraft('branding', stored)
  const [error, setError] = useState<unknown>()
  const isChanged = JSON.stringify(draft) !== JSON.stringify(stored)
  const faults = faultsByPointer(error)
  const hasFaults = Object.keys(faults).length > 0

  const save = (event: FormEvent) => {
    event.preventDefault()
    setError(undefined)
    const body = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== '')) as Branding
    void run(
      async () => {
        await ops.setBranding({ body })
        drop()
        return { text: m.brandingSaved, undo: () => ops.setBranding({ body: branding }) }
      },
      async (refusal) => setError(refusal),
    )
  }
  const readLogo = async (file: File | undefined) => {
    if (!file) return
    const bytes = new Uint8Array(await file.arrayBuffer())
    change({ logo: btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('')) })
  }

  return (
    <Section title={m.shows.branding}>
      <form className={actionStyles.form} onSubmit={save}>
        <p className="soft">{m.brandingText(name)}</p>
        <div className={styles.formRow}>
          {(['color', 'dark_color'] as const).map((field) => (
            <Field
              key={field}
              label={m[field]}
              placeholder="#0a5f8c"
              value={draft[field]}
              disabled={!isAdmin}
              error={faults[`/${field}`]}
              aside={
                draft[field] && (
                  <span
                    aria-hidden="true"
                    style={{
                      width: 20,
                      height: 20,
                      borderRadius: 4,
                      display: 'inline-block',
                      background: draft[field],
                    }}
                  />
                )
              }
              onChange={(event) => change({ [field]: event.currentTarget.value.trim() })}
            />
          ))}
          <Field
            type="file"
            accept="image/png"
            label={m.logo}
            description={m.logoHint}
            disabled={!isAdmin}
            error={faults['/logo']}
            onChange={(event) => void readLogo(event.currentTarget.files?.[0])}
          />
        </div>
        {draft.logo && (
          <div className={actionStyles.actions}>
            <img src={`data:image/png;base64,${draft.logo}`} alt={m.logo} style={{ maxHeight: 48 }} />
            <Button size="xs" variant="default" disabled={!isAdmin} onClick={() => change({ logo: '' })}>
              {m.removeLogo}
            </Button>
          </div>
        )}
        {error !== undefined && !hasFaults && <ErrorNotice error={error} />}
        <div className={actionStyles.actions}>
          <Button type="submit" loading={isBusy} disabled={!isAdmin || !isChanged}>
            {customers.save}
          </Button>
          {isChanged && (
            <Button
              variant="default"
              onClick={() => {
                change(stored)
                drop()
              }}
            >
              {customers.revert}
            </Button>
          )}
          {!isAdmin && <span className="soft small">{people.adminsOnly}</span>}
        </div>
      </form>
    </Section>
  )
}
