import { IconAlertTriangle, IconCheck, IconDownload } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { portalAddress } from '../../../../src/client/portal-client.js'
import type { OrderSheetCheck } from '../../../../src/contract/portal/order-sheet.js'
import { AppLink } from '../../../ui/app-link.js'
import { Button, ButtonLink } from '../../../ui/button.js'
import { Notice } from '../../../ui/notice.js'
import { Page } from '../../../ui/page.js'
import { Section } from '../../../ui/section.js'
import { ErrorState, TableSkeleton } from '../../../ui/states.js'
import { faultsByPointer, type OrderSheet, refusalCodeOf, uploadOrderSheet } from '../../api/client.js'
import { useMay } from '../../api/session.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import styles from './order-upload.module.css'
import { SheetColumns } from './sheet-columns.js'
import { faultsToFix } from './sheet-faults.js'
import { SheetField } from './sheet-field.js'
import { SheetPreview } from './sheet-preview.js'

/** Creates orders from a spreadsheet: preview first, then all or none are saved. */
export function OrderUploadPage() {
  const messages = useMessages()
  const m = messages.orderUpload
  const format = useFormat()
  const mayWrite = useMay('write')
  const queries = useQueryClient()
  const [sheet, setSheet] = useState<OrderSheet>()
  const check = useMutation({ mutationFn: (given: OrderSheet) => uploadOrderSheet('checkOrderSheet', given) })
  const save = useMutation({
    mutationFn: (given: OrderSheet) => uploadOrderSheet('saveOrderSheet', given),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['purchase_order'] }),
    // Orders were created since the preview: make a new one.
    onError: (error, given) => {
      if (refusalCodeOf(error) === 'import_rejected') check.mutate(given)
    },
  })
  const isRejected = refusalCodeOf(save.error) === 'import_rejected'

  function read(given: OrderSheet): void {
    setSheet(given)
    save.reset()
    check.mutate(given)
  }

  // The mapping of the columns of a file is kept for the next one: it is usually the same one, corrected.
  function choose(file: File): void {
    read({ columns: sheet?.columns ?? {}, dates: sheet?.dates, file })
  }

  if (!mayWrite) {
    const { what, remedy } = messages.problems.insufficient_role
    return (
      <Page title={m.title}>
        <p role="alert">
          {what}. {remedy}
        </p>
      </Page>
    )
  }
  if (save.data)
    return <Saved created={save.data.created} onAgain={() => [setSheet(undefined), check.reset(), save.reset()]} />
  const found = check.data
  const isGood = found !== undefined && found.fault_count === 0
  const verdictOn = (checked: OrderSheetCheck) => {
    const { count } = faultsToFix(checked)
    const open = checked.unknown_columns.length
    return count === 0 && open > 0 ? m.toAssign(format.number(open), open) : m.bad(format.number(count), count)
  }
  return (
    <Page title={m.title} lead={m.lead} isLoading={check.isPending} actions={<TemplateButton />}>
      <SheetField file={sheet?.file} isBusy={check.isPending || save.isPending} onChoose={choose} />
      {sheet === undefined && <HowTo />}
      {check.isPending && <TableSkeleton rows={6} columns={6} />}
      {check.error && <CheckFailure error={check.error} retry={() => sheet && check.mutate(sheet)} />}
      {save.error && !isRejected && <ErrorState error={save.error} retry={() => sheet && save.mutate(sheet)} />}
      {found && sheet && !check.isPending && (
        <>
          <div className={styles.verdict} role="status">
            <span className={styles.verdictText} data-good={isGood}>
              {isGood ? <IconCheck size={18} aria-hidden="true" /> : <IconAlertTriangle size={18} aria-hidden="true" />}
              {isGood
                ? m.good(format.number(found.order_count), found.order_count, format.number(found.row_count))
                : verdictOn(found)}
            </span>
            {isGood && (
              <Button loading={save.isPending} onClick={() => save.mutate(sheet)}>
                {m.save(format.number(found.order_count), found.order_count)}
              </Button>
            )}
          </div>
          {isRejected && <Notice tone="warning" role="alert" title={m.rejected} />}
          {found.unread_sheets.length > 0 && <p className="small soft">{m.unread(format.list(found.unread_sheets))}</p>}
          <SheetColumns check={found} sheet={sheet} onChange={read} />
          <SheetPreview key={check.submittedAt} check={found} />
        </>
      )}
    </Page>
  )
}

function TemplateButton() {
  const m = useMessages().orderUpload
  return (
    <ButtonLink
      variant="default"
      href={portalAddress('getOrderSheetTemplate')}
      download
      leftSection={<IconDownload size={16} stroke={1.8} />}
    >
      {m.template}
    </ButtonLink>
  )
}

function HowTo() {
  const m = useMessages().orderUpload
  return (
    <Section title={m.howTitle}>
      <ol className={styles.how}>
        {m.how.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </Section>
  )
}

/** Errors of the file itself get their own text. */
function CheckFailure({ error, retry }: { error: unknown; retry(): void }) {
  const m = useMessages()
  const detail = faultsByPointer(error)['/file']
  if (detail === undefined) return <ErrorState error={error} retry={retry} />
  return (
    <Notice tone="problem" role="alert" title={m.orderUpload.unreadable}>
      {m.orderUpload.theFile(detail)}
    </Notice>
  )
}

function Saved({ created, onAgain }: { created: string[]; onAgain(): void }) {
  const m = useMessages().orderUpload
  const format = useFormat()
  const actions = (
    <>
      <Button variant="default" onClick={onAgain}>
        {m.again}
      </Button>
      <ButtonLink href={paths.orders()}>{m.toOrders}</ButtonLink>
    </>
  )
  return (
    <Page title={m.savedTitle(format.number(created.length), created.length)} lead={m.savedLead} actions={actions}>
      <Section title={m.created}>
        <ul className={styles.created}>
          {created.map((reference) => (
            <li key={reference}>
              <AppLink href={paths.order(reference)} className="mono">
                {reference}
              </AppLink>
            </li>
          ))}
        </ul>
      </Section>
    </Page>
  )
}
