import { IconDownload, IconEye } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { portalAddress } from '../../../../src/client/portal-client.js'
import type { InvoiceStanding } from '../../../../src/contract/portal/overview.js'
import type { Invoice } from '../../../../src/contract/public/invoice.js'
import { AppLink } from '../../../ui/app-link.js'
import { BackLink } from '../../../ui/back-link.js'
import { InvoiceStatusBadge } from '../../../ui/badges.js'
import { Button, ButtonLink } from '../../../ui/button.js'
import { Copyable } from '../../../ui/copyable.js'
import { DayText } from '../../../ui/day-text.js'
import { Page } from '../../../ui/page.js'
import { Section } from '../../../ui/section.js'
import { ErrorState, Lines } from '../../../ui/states.js'
import { invoiceQuery, invoiceStandingQuery } from '../../api/queries.js'
import { useFormat } from '../../i18n/format.js'
import { useMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { DocumentPreview } from '../documents/document-preview.js'
import { DueText } from './due-text.js'
import { InvoiceLines } from './invoice-lines.js'
import { invoiceSentence } from './invoice-sentence.js'
import { InvoiceStandingView } from './invoice-standing.js'
import styles from './invoices.module.css'
import { PassedChecks } from './passed-checks.js'

export function InvoicePage() {
  const m = useMessages()
  const { reference = '' } = useParams({ strict: false })
  const invoice = useQuery(invoiceQuery(reference))
  const standing = useQuery(invoiceStandingQuery(reference))
  const back = <BackLink path={paths.invoices()}>{m.nav.invoices}</BackLink>
  if (invoice.data && standing.data) {
    return <InvoiceView invoice={invoice.data} standing={standing.data} back={back} />
  }
  const error = invoice.error ?? standing.error
  const retry = () => void Promise.all([invoice.refetch(), standing.refetch()])
  const title = invoice.data?.number ?? reference
  return (
    <Page back={back} title={title} isLoading={!error} {...(!error && { lead: m.common.loading })}>
      {error ? <ErrorState error={error} retry={retry} /> : <Lines count={10} />}
    </Page>
  )
}

type ViewProps = { invoice: Invoice; standing: InvoiceStanding; back: ReactNode }

function InvoiceView({ invoice, standing, back }: ViewProps) {
  const messages = useMessages()
  const m = messages.invoice
  const format = useFormat()
  const { lines = [] } = invoice
  return (
    <Page
      back={back}
      title={m.heading(
        invoice.type && messages.statuses.invoiceType[invoice.type],
        invoice.number ?? invoice.reference,
      )}
      lead={invoiceSentence(invoice, standing, format, messages)}
      actions={<PdfActions invoice={invoice} />}
    >
      <Facts invoice={invoice} />
      <Section title={m.lines} aside={m.lineCount(lines.length)} isBare>
        <InvoiceLines lines={lines} />
      </Section>
      <InvoiceStandingView invoice={invoice} standing={standing} />
      <PassedChecks reference={invoice.reference} />
    </Page>
  )
}

function PdfActions({ invoice: { reference, number } }: { invoice: Invoice }) {
  const m = useMessages().invoice
  const [isShown, setShown] = useState(false)
  const name = `${number ?? reference}.pdf`
  return (
    <>
      <Button variant="default" leftSection={<IconEye size={16} stroke={1.8} />} onClick={() => setShown(true)}>
        {m.viewPdf}
      </Button>
      <ButtonLink
        href={portalAddress('getInvoicePdf', { params: { reference } })}
        download
        leftSection={<IconDownload size={16} stroke={1.8} />}
      >
        {m.downloadPdf}
      </ButtonLink>
      {isShown && (
        <DocumentPreview
          name={name}
          address={portalAddress('getInvoicePdf', { params: { reference }, query: { inline: '1' } })}
          download={portalAddress('getInvoicePdf', { params: { reference } })}
          onClose={() => setShown(false)}
        />
      )}
    </>
  )
}

function Facts({ invoice }: { invoice: Invoice }) {
  const { invoice: m, invoices } = useMessages()
  const { number, reference, status, svc_shipment_id, sent_date, due_date } = invoice
  return (
    <dl className={`panel ${styles.facts}`}>
      {number !== undefined && (
        <div>
          <dt>{invoices.number}</dt>
          <dd>
            <Copyable text={number} />
          </dd>
        </div>
      )}
      <div>
        <dt>{m.reference}</dt>
        <dd>
          <Copyable text={reference} />
        </dd>
      </div>
      {status && (
        <div>
          <dt>{invoices.status}</dt>
          <dd>
            <InvoiceStatusBadge status={status} />
          </dd>
        </div>
      )}
      {svc_shipment_id && (
        <div>
          <dt>{invoices.shipment}</dt>
          <dd>
            <AppLink href={paths.shipment(svc_shipment_id)} className="mono">
              {svc_shipment_id}
            </AppLink>
          </dd>
        </div>
      )}
      {sent_date && (
        <div>
          <dt>{invoices.sent}</dt>
          <dd>
            <DayText date={sent_date} isShort />
          </dd>
        </div>
      )}
      {due_date && (
        <div>
          <dt>{invoices.due}</dt>
          <dd>
            <DueText invoice={invoice} />
          </dd>
        </div>
      )}
    </dl>
  )
}
