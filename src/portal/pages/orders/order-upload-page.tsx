import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconDownload } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { portalAddress } from '../../../client/portal-client.js'
import { faultsByPointer, refusalCodeOf, uploadOrderSheet } from '../../api/client.js'
import { useMay } from '../../api/session.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { AppLink } from '../../parts/app-link.js'
import { Page } from '../../parts/page.js'
import { Section } from '../../parts/section.js'
import { ErrorState, TableSkeleton } from '../../parts/states.js'
import { paths } from '../../paths.js'
import { Note } from '../note.js'
import styles from './order-upload.module.css'
import { SheetField } from './sheet-field.js'
import { SheetPreview } from './sheet-preview.js'

/** Orders from a spreadsheet: looked at first, saved when nothing is wrong with any of them. */
export function OrderUploadPage() {
  const messages = useMessages()
  const m = messages.orderUpload
  const format = useFormat()
  const mayWrite = useMay('write')
  const queries = useQueryClient()
  const [file, setFile] = useState<File>()
  const check = useMutation({ mutationFn: (sheet: File) => uploadOrderSheet('checkOrderSheet', sheet) })
  const save = useMutation({
    mutationFn: (sheet: File) => uploadOrderSheet('saveOrderSheet', sheet),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['purchase_order'] }),
    // Something was created meanwhile that was not there when the preview was made: it is made anew.
    onError: (error, sheet) => {
      if (refusalCodeOf(error) === 'import_rejected') check.mutate(sheet)
    },
  })
  const isRejected = refusalCodeOf(save.error) === 'import_rejected'

  function choose(sheet: File): void {
    setFile(sheet)
    save.reset()
    check.mutate(sheet)
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
    return <Saved created={save.data.created} onAgain={() => [setFile(undefined), check.reset(), save.reset()]} />
  const found = check.data
  const isGood = found !== undefined && found.fault_count === 0
  return (
    <Page title={m.title} lead={m.lead} isLoading={check.isPending} actions={<TemplateButton />}>
      <SheetField file={file} isBusy={check.isPending || save.isPending} onChoose={choose} />
      {file === undefined && <HowTo />}
      {check.isPending && <TableSkeleton rows={6} columns={6} />}
      {check.error && <CheckFailure error={check.error} retry={() => file && check.mutate(file)} />}
      {save.error && !isRejected && <ErrorState error={save.error} retry={() => file && save.mutate(file)} />}
      {found && file && !check.isPending && (
        <>
          <div className={styles.verdict} role="status">
            <span className={styles.verdictText} data-good={isGood}>
              {isGood ? <IconCheck size={18} aria-hidden="true" /> : <IconAlertTriangle size={18} aria-hidden="true" />}
              {isGood
                ? m.good(format.number(found.order_count), found.order_count, format.number(found.row_count))
                : m.bad(format.number(found.fault_count), found.fault_count)}
            </span>
            {isGood && (
              <Button loading={save.isPending} onClick={() => save.mutate(file)}>
                {m.save(format.number(found.order_count), found.order_count)}
              </Button>
            )}
          </div>
          {isRejected && <Note tone="late" role="alert" title={m.rejected} />}
          {found.unread_sheets.length > 0 && <p className="small soft">{m.unread(format.list(found.unread_sheets))}</p>}
          <SheetPreview key={check.submittedAt} check={found} />
        </>
      )}
    </Page>
  )
}

function TemplateButton() {
  const m = useMessages().orderUpload
  return (
    <Button
      variant="default"
      component="a"
      href={portalAddress('getOrderSheetTemplate')}
      download
      leftSection={<IconDownload size={16} stroke={1.8} />}
    >
      {m.template}
    </Button>
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

/** A file that is no spreadsheet is said to be none; everything else as everywhere. */
function CheckFailure({ error, retry }: { error: unknown; retry(): void }) {
  const m = useMessages()
  const detail = faultsByPointer(error)['/file']
  if (detail === undefined) return <ErrorState error={error} retry={retry} />
  return (
    <Note tone="problem" role="alert" title={m.orderUpload.unreadable}>
      {m.orderUpload.theFile(m.orderForm.fault(detail))}
    </Note>
  )
}

function Saved({ created, onAgain }: { created: string[]; onAgain(): void }) {
  const m = useMessages().orderUpload
  const format = useFormat()
  const acts = (
    <>
      <Button variant="default" onClick={onAgain}>
        {m.again}
      </Button>
      <Button component={AppLink} href={paths.orders()}>
        {m.toOrders}
      </Button>
    </>
  )
  return (
    <Page title={m.savedTitle(format.number(created.length), created.length)} lead={m.savedLead} actions={acts}>
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
