import { IconFileTypePdf } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { portalAddress } from '../../../../src/client/portal-client.js'
import { type Currency, currencies } from '../../../../src/contract/public/shared-types.js'
import { Button } from '../../../ui/button.js'
import { presentDay } from '../../../ui/clock.js'
import { Dialog, DialogActions } from '../../../ui/dialog.js'
import { Field, SelectField } from '../../../ui/field.js'
import { invoiceTotalsQuery } from '../../api/queries.js'
import { useMessages } from '../../i18n/messages.js'
import styles from './invoices.module.css'

/** Chooses the currency and period of a statement, which is downloaded as PDF. */
export function StatementButton() {
  const m = useMessages().statement
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFileTypePdf size={16} aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {m.title}
      </Button>
      {isOpen && <StatementDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function StatementDialog({ onClose }: { onClose(): void }) {
  const m = useMessages().statement
  const { data: totals } = useQuery(invoiceTotalsQuery())
  const owed = totals?.currencies.map(({ currency }) => currency) ?? []
  const today = presentDay()
  const [currency, setCurrency] = useState<string>(owed[0] ?? 'EUR')
  const [from, setFrom] = useState(`${today.slice(0, 4)}-01-01`)
  const [to, setTo] = useState(today)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    window.location.assign(portalAddress('getStatement', { query: { currency: currency as Currency, from, to } }))
    onClose()
  }
  return (
    <Dialog title={m.title} onClose={onClose}>
      <form className={styles.statement} onSubmit={submit}>
        <p className="soft">{m.lead}</p>
        <SelectField
          label={m.currency}
          value={currency}
          options={[...new Set<string>([...owed, ...currencies])].map((value) => ({ value, label: value }))}
          onChange={setCurrency}
        />
        <Field
          label={m.from}
          type="date"
          value={from}
          max={to}
          onChange={(event) => setFrom(event.currentTarget.value)}
          required
        />
        <Field
          label={m.to}
          type="date"
          value={to}
          min={from}
          onChange={(event) => setTo(event.currentTarget.value)}
          required
        />
        <DialogActions>
          <Button type="submit">{m.download}</Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
