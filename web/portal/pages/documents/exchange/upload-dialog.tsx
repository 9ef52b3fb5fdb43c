import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { DocumentType } from '../../../../../src/contract/public/document-types.js'
import { Dialog } from '../../../../ui/dialog.js'
import { Field } from '../../../../ui/field.js'
import { useMessages } from '../../../i18n/messages.js'
import { proposeDocument } from './document-exchange.js'
import styles from './exchange.module.css'
import { UploadField } from './upload-field.js'

type Props = {
  /** Shipments to choose from; others can be typed. */
  shipments: { id: string; name: string }[]
  onClose(): void
}

/** Uploads a document of any shipment, or of none. */
export function UploadDialog({ shipments, onClose }: Props) {
  const { proposals: m } = useMessages()
  const queries = useQueryClient()
  const list = useId()
  const [shipment, setShipment] = useState('')

  async function send(file: File, type: DocumentType | undefined): Promise<void> {
    await proposeDocument({ file, shipment: shipment.trim() === '' ? undefined : shipment.trim(), type })
    await queries.invalidateQueries({ queryKey: ['document'] })
  }

  return (
    <Dialog title={m.upload} onClose={onClose}>
      <div className={styles.form}>
        <p className="soft">{m.uploadLead}</p>
        <Field
          label={m.shipment}
          description={m.shipmentHint}
          value={shipment}
          list={list}
          onChange={(event) => setShipment(event.currentTarget.value)}
          data-autofocus
        />
        <datalist id={list}>
          {shipments.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </datalist>
        <UploadField wanted={[]} send={send} />
      </div>
    </Dialog>
  )
}
