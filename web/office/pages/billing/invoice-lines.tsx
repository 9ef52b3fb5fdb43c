import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import type { InvoiceVersion } from '../../../../src/contract/operator/invoices.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { StatusBadge } from '../../../ui/badges.js'
import { Button } from '../../../ui/button.js'
import { RowCheckbox } from '../../../ui/choices.js'
import { MoneyText } from '../../../ui/money-text.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { ReasonDialog } from '../../actions/reason-dialog.js'
import { useActions } from '../../actions/use-actions.js'
import type { InvoiceParams } from '../../api/billing.js'
import { ops, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from '../shipment/file.module.css'
import { Totals } from './totals.js'

type IndexedLine = { line: NonNullable<InvoiceVersion['record']['lines']>[number]; index: number }
type Props = {
  params: InvoiceParams
  version: InvoiceVersion
  /** Absent where the lines cannot be edited. */
  edit: (() => void) | undefined
}

/** The lines, which can be disputed or credited one by one. */
export function InvoiceLines({ params, version, edit }: Props) {
  const { billing: m } = useOfficeMessages()
  const f = useFormat()
  const router = useRouter()
  const { run, isBusy } = useActions()
  const mayInvoice = useMayDo('invoice')
  const [chosen, setChosen] = useState<number[]>([])
  const { record } = version
  const lines = (record.lines ?? []).map((line, index) => ({ line, index }))
  const isIssued = !record.draft && record.type !== 'credit_note'
  const canDispute = isIssued && ['available', 'due', 'partially_paid'].includes(record.status ?? '')
  const [isDisputing, setDisputing] = useState(false)
  const dispute = async (reason: string) => {
    const body = { status: 'litigious' as const, reason, ...(chosen.length > 0 && { disputed_lines: chosen }) }
    await ops.moveInvoice({ params, body })
    setChosen([])
    // Payments and the due date decide on the rest.
    const status = record.status === 'available' ? ('available' as const) : ('due' as const)
    return { text: m.done.moved, undo: () => ops.moveInvoice({ params, body: { status } }) }
  }
  const credit = () =>
    run(async () => {
      const credited = lines.filter(({ index }) => chosen.includes(index)).map(({ line }) => line)
      const note = await ops.draftCreditNote({ params, body: { lines: credited as never } })
      const { account } = params
      router.history.push(paths.invoice(account, note.id))
      return {
        text: m.done.credited,
        undo: async () => {
          await ops.discardDraft({ params: { account, reference: note.id } })
          router.history.push(paths.invoice(account, params.reference))
        },
      }
    })
  return (
    <>
      <Section
        title={m.lines}
        isBare
        aside={
          edit ? (
            <Button size="xs" variant="default" onClick={edit}>
              {m.edit.open} <kbd>e</kbd>
            </Button>
          ) : (
            mayInvoice &&
            isIssued && (
              <span className={styles.sectionActions}>
                {canDispute && (
                  <Button size="xs" variant="default" disabled={isBusy} onClick={() => setDisputing(true)}>
                    {chosen.length > 0 ? m.dispute : m.disputeAll}
                  </Button>
                )}
                <Button
                  size="xs"
                  variant="default"
                  disabled={isBusy || chosen.length === 0}
                  onClick={() => void credit()}
                >
                  {m.credit}
                </Button>
              </span>
            )
          )
        }
      >
        <PlainTable<IndexedLine>
          label={m.lines}
          rows={lines}
          rowKey={({ index }) => String(index)}
          columns={[
            ...(mayInvoice && isIssued
              ? [
                  {
                    id: 'select',
                    header: m.credit,
                    isPlain: true,
                    cell: ({ index }: IndexedLine) => (
                      <RowCheckbox
                        label={m.selectLine(index + 1)}
                        checked={chosen.includes(index)}
                        onChange={() =>
                          setChosen((before) =>
                            before.includes(index) ? before.filter((each) => each !== index) : [...before, index],
                          )
                        }
                      />
                    ),
                  },
                ]
              : []),
            {
              id: 'description',
              header: m.description,
              isName: true,
              cell: ({ line, index }) => (
                <>
                  {line.description}{' '}
                  {record.dispute?.lines.includes(index) && <StatusBadge tone="problem">{m.disputed}</StatusBadge>}
                </>
              ),
            },
            {
              id: 'quantity',
              header: m.quantity,
              align: 'right',
              cell: ({ line: { quantity } }) =>
                quantity?.value === undefined ? '' : `${f.number(quantity.value)} ${quantity.unit ?? ''}`,
            },
            {
              id: 'tax',
              header: m.tax,
              align: 'right',
              cell: ({ line: { vatRate, disbursement } }) =>
                disbursement ? m.disbursements : vatRate === undefined ? '' : f.percent(vatRate),
            },
            {
              id: 'net',
              header: m.net,
              align: 'right',
              cell: ({ line: { price } }) => <MoneyText price={price} />,
            },
          ]}
        />
      </Section>
      <Totals version={version} />
      {isDisputing && (
        <ReasonDialog
          draft={`dispute ${params.account} ${params.reference}`}
          title={chosen.length > 0 ? m.dispute : m.disputeAll}
          text={m.disputeText}
          confirm={m.disputeAll}
          onClose={() => setDisputing(false)}
          act={dispute}
        />
      )}
    </>
  )
}
