import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { operatorAddress } from '../../../../src/client/operator-client.js'
import type { DocumentVersion } from '../../../../src/contract/operator/documents.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { UploadField } from '../../../portal/pages/documents/exchange/upload-field.js'
import { SectionError } from '../../../portal/pages/shipment/section-error.js'
import { Button, ButtonLink } from '../../../ui/button.js'
import { MomentText } from '../../../ui/moment-text.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { Section } from '../../../ui/section.js'
import { Lines } from '../../../ui/states.js'
import { useMayDo } from '../../api/ops.js'
import { documentsQuery, type ShipmentParams, uploadDocument } from '../../api/shipment.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { DocumentDialog } from './document-dialog.js'
import styles from './file.module.css'
import { RequiredDocuments } from './required-documents.js'

/** The documents that the shipment needs and has. */
export function DocumentsSection({ params }: { params: ShipmentParams }) {
  const { file: m } = useOfficeMessages()
  const { statuses } = useMessages()
  const { data, error, refetch } = useQuery(documentsQuery(params))
  const mayOperate = useMayDo('operate')
  const [edited, setEdited] = useState<DocumentVersion>()
  const { account } = params
  return (
    <Section title={m.documents} anchor="documents">
      <div className={styles.documents}>
        <RequiredDocuments params={params} />
        {data === undefined ? (
          error ? (
            <SectionError error={error} retry={() => void refetch()} />
          ) : (
            <Lines count={3} />
          )
        ) : data.length === 0 ? (
          <p className="soft">{m.noDocuments}</p>
        ) : (
          <PlainTable
            label={m.documents}
            rows={data}
            rowKey={({ id }) => id}
            versionOf={({ revision }) => String(revision)}
            columns={[
              { id: 'name', header: m.name, isName: true, cell: ({ record }) => record.name },
              { id: 'type', header: m.type, cell: ({ record: { type } }) => type && statuses.documentType[type] },
              { id: 'at', header: m.date, cell: ({ recorded_at }) => <MomentText at={recorded_at} look="day" /> },
              {
                id: 'actions',
                header: m.download,
                isPlain: true,
                align: 'right',
                cell: (version) => (
                  <span className={styles.sectionActions}>
                    {mayOperate && (
                      <Button
                        size="xs"
                        variant="default"
                        aria-label={`${m.edit}: ${version.record.name}`}
                        onClick={() => setEdited(version)}
                      >
                        {m.edit}
                      </Button>
                    )}
                    <ButtonLink
                      size="xs"
                      variant="default"
                      href={operatorAddress('getDocumentContent', { account, id: version.id })}
                      aria-label={`${m.download}: ${version.record.name}`}
                      download
                    >
                      {m.download}
                    </ButtonLink>
                  </span>
                ),
              },
            ]}
          />
        )}
        {mayOperate && (
          <UploadField
            wanted={[]}
            send={async (file, type) => {
              await uploadDocument(params, file, type)
              await refetch()
            }}
          />
        )}
      </div>
      {edited && <DocumentDialog account={account} version={edited} onClose={() => setEdited(undefined)} />}
    </Section>
  )
}
