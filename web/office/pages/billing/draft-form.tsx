import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { InvoiceVersion } from '../../../../src/contract/operator/invoices.js'
import { faultsByPointer, refusalCodeOf } from '../../../portal/api/client.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { useReader } from '../../../portal/i18n/messages.js'
import { Button } from '../../../ui/button.js'
import { Dialog } from '../../../ui/dialog.js'
import { Field } from '../../../ui/field.js'
import { ErrorNotice } from '../../../ui/notice.js'
import { Section } from '../../../ui/section.js'
import { useDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { useActions } from '../../actions/use-actions.js'
import { type InvoiceParams, invoiceQuery } from '../../api/billing.js'
import { ops } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { Conflict } from '../shipment/conflict.js'
import { type Difference, differencesBetween, withOwn } from '../shipment/differences.js'
import { DraftLines } from './draft-lines.js'
import { bodyOf, contentIn, contentOf, type DraftContent, type DraftRow, partsOf, unreadable } from './draft-rows.js'

type Props = { params: InvoiceParams; version: InvoiceVersion; onClose: () => void }

/** As typed, with the version that it is based on: kept over a reload. */
type Draft = { revision: number; base: DraftContent; content: DraftContent }

export const linesDraft = ({ account, reference }: InvoiceParams) => `invoice ${account} ${reference}`

const draftOf = ({ revision, record }: InvoiceVersion): Draft => ({
  revision,
  base: contentOf(record),
  content: contentOf(record),
})

/** Edits the lines of a draft. What somebody else has saved meanwhile is not overwritten: both versions are shown by line. */
export function DraftForm({ params, version, onClose }: Props) {
  const { billing: m } = useOfficeMessages()
  const { language } = useReader()
  const client = useQueryClient()
  const { run, isBusy } = useActions()
  const [draft, change, drop] = useDraft<Draft>(linesDraft(params), draftOf(version))
  const [error, setError] = useState<unknown>()
  const [conflict, setConflict] = useState<{ differences: Difference<string>[]; theirs: Draft; count: number }>()
  const { content } = draft
  const [isTried, setTried] = useState(false)
  const noNumbers = isTried ? unreadable(content, language) : []
  const faults = { ...faultsByPointer(error), ...Object.fromEntries(noNumbers.map((at) => [at, m.edit.notANumber])) }
  const isShown = Object.keys(faults).some((at) => /^\/lines\/\d+\/|^\/due_date/.test(at))
  const close = () => {
    drop()
    onClose()
  }

  const save = async (given: Draft) => {
    setError(undefined)
    setTried(true)
    if (unreadable(given.content, language).length > 0) return
    return run(
      async () => {
        const body = bodyOf(given.content, version.record, language)
        const saved = await ops.replaceInvoice({ params, query: { revision: given.revision }, body })
        close()
        const before = bodyOf(given.base, version.record, language)
        const undo = () => ops.replaceInvoice({ params, query: { revision: saved.revision }, body: before })
        return { text: m.done.linesSaved, undo }
      },
      (refusal) => onRefusal(refusal, given),
    )
  }

  async function onRefusal(refusal: unknown, given: Draft): Promise<void> {
    if (refusalCodeOf(refusal) !== 'invoice_changed') return setError(refusal)
    const theirs = draftOf(await client.fetchQuery({ ...invoiceQuery(params), staleTime: 0 }))
    const versions = [given.base, given.content, theirs.base]
    const count = Math.max(...versions.map(({ rows }) => rows.length))
    const [base, mine, others] = versions.map((each) => partsOf(each, count)) as [Parts, Parts, Parts]
    setConflict({ differences: differencesBetween(Object.keys(base), base, mine, others), theirs, count })
  }

  return (
    <Section title={m.lines}>
      <form
        className={actionStyles.form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void save(draft)
        }}
      >
        <DraftLines
          rows={content.rows}
          faults={faults}
          onChange={(rows) => change({ content: { ...content, rows } })}
        />
        <div className={actionStyles.actions}>
          <Field
            label={m.edit.due}
            description={m.edit.dueHint}
            type="date"
            value={content.due}
            error={faults['/due_date']}
            onChange={(event) => change({ content: { ...content, due: event.currentTarget.value } })}
          />
        </div>
        {error !== undefined && !isShown && <ErrorNotice error={error} />}
        <div className={actionStyles.actions}>
          <Button type="submit" loading={isBusy} disabled={content.rows.length === 0}>
            {m.edit.save}
          </Button>
          <Button variant="default" onClick={close}>
            {m.edit.cancel}
          </Button>
        </div>
      </form>
      {conflict && (
        <LineConflict
          {...conflict}
          isBusy={isBusy}
          onClose={() => setConflict(undefined)}
          onChoose={(next) => {
            change(next)
            setConflict(undefined)
            void save(next)
          }}
        />
      )}
    </Section>
  )
}

type Parts = Record<string, string>
type ConflictProps = {
  differences: Difference<string>[]
  theirs: Draft
  count: number
  isBusy: boolean
  onClose: () => void
  onChoose: (next: Draft) => void
}

function LineConflict({ differences, theirs, count, isBusy, onClose, onChoose }: ConflictProps) {
  const { billing: m, file } = useOfficeMessages()
  const f = useFormat()
  const shown = (name: string, value: string) => {
    if (value === '' || name === 'due') return value === '' ? '' : f.day(value)
    const { description, quantity, unit, rate, amount, currency, amountCurrency, vat } = JSON.parse(value) as DraftRow
    const charged = rate === '' ? amount : `${quantity} ${unit} × ${rate}`
    const converted = amountCurrency ? ` (${amount} ${amountCurrency})` : ''
    return `${description}: ${charged} ${currency}${converted}${vat === '' ? '' : `, ${m.vatAt(vat)}`}`
  }
  return (
    <Dialog title={file.conflict} onClose={onClose} isPersistent isWide>
      <Conflict
        differences={differences.map(({ text, mine, theirs: other, isMine }) => ({
          name: text,
          label: text === 'due' ? m.edit.due : m.lineNumber(Number(text.slice('line '.length)) + 1),
          mine: shown(text, mine),
          theirs: shown(text, other),
          isMine,
        }))}
        isBusy={isBusy}
        onChoose={(own) =>
          onChoose({ ...theirs, content: contentIn(withOwn(partsOf(theirs.base, count), differences, own)) })
        }
      />
    </Dialog>
  )
}
