import { IconCheck, IconX } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { type DocumentType, documentTypes } from '../../../../src/contract/public/document-types.js'
import { useFormat } from '../../../portal/i18n/format.js'
import { useMessages } from '../../../portal/i18n/messages.js'
import { AppLink } from '../../../ui/app-link.js'
import { Button } from '../../../ui/button.js'
import { Field, SelectField } from '../../../ui/field.js'
import { explain } from '../../../ui/states.js'
import { ops } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { paths } from '../../paths.js'
import { useAccountNames } from '../my-work/item-texts.js'
import { changeFile, type DeskFile, fileDocument, isFileable, removeFile, targetOf } from './desk.js'
import styles from './documents.module.css'

/** The files on the desk: what each seems to be and to belong to, which can be changed until it is filed. */
export function DeskList({ files }: { files: DeskFile[] }) {
  const { documents: m } = useOfficeMessages()
  return (
    <ul className={styles.desk} aria-label={m.desk}>
      {files.map((row) => (
        <li key={row.id} className={styles.row} data-state={row.state}>
          <Row row={row} />
        </li>
      ))}
    </ul>
  )
}

function Row({ row }: { row: DeskFile }) {
  const { documents: m } = useOfficeMessages()
  const messages = useMessages()
  const f = useFormat()
  const { id, file, state, error } = row
  const isOpen = state === 'ready' || state === 'failed'
  return (
    <>
      <div className={styles.name}>
        <span className="strong">{file.name}</span>
        <span className="soft small">
          {f.bytes(file.size)} · {m.states[state]}
        </span>
        <Why row={row} />
        {state === 'failed' && (
          <span className={styles.error} role="alert">
            {m.problem(explain(error, messages))}
          </span>
        )}
      </div>
      {isOpen && <Choices row={row} />}
      {state === 'filed' && <FiledIn row={row} />}
      <div className={styles.rowActions}>
        {state === 'failed' && (
          <Button
            size="xs"
            variant="default"
            disabled={!isFileable(row)}
            aria-label={`${m.retry}: ${file.name}`}
            onClick={() => void fileDocument(row)}
          >
            {m.retry}
          </Button>
        )}
        {state !== 'filing' && (
          <Button
            size="xs"
            variant="subtle"
            aria-label={`${m.remove}: ${file.name}`}
            onClick={() => removeFile(id)}
            leftSection={<IconX size={14} aria-hidden="true" />}
          >
            {m.remove}
          </Button>
        )}
      </div>
    </>
  )
}

/** Why the shipment and the type are suggested. */
function Why({ row: { suggestion, target, type, state } }: { row: DeskFile }) {
  const { documents: m } = useOfficeMessages()
  if (!suggestion || state === 'filed') return null
  const chosen = suggestion.shipments.find((each) => targetOf(each) === target)
  const numbers = (chosen?.found ?? []).map(({ kind, reference, found_in, page }) =>
    m.found(
      m.numbers[kind],
      reference,
      found_in === 'name' ? m.inName : page === undefined ? m.inText : m.onPage(page),
    ),
  )
  const isSuggestedType = suggestion.type !== undefined && suggestion.type.type === type
  const words = isSuggestedType
    ? [m.typeBy(suggestion.type?.words ?? '', suggestion.type?.found_in === 'name' ? m.inName : m.inText)]
    : []
  const reasons = [...words, ...numbers.slice(0, mostReasons)]
  if (reasons.length > 0) return <span className={styles.why}>{reasons.join(' · ')}</span>
  if (target !== '') return null
  return <span className={styles.why}>{suggestion.text === 'unreadable' ? m.unreadable : m.nothingFound}</span>
}

const mostReasons = 3

function Choices({ row }: { row: DeskFile }) {
  const { documents: m } = useOfficeMessages()
  const { statuses } = useMessages()
  const nameOf = useAccountNames()
  const { id, file, shipments, type, target } = row
  const [isOther, setOther] = useState(false)
  const types = documentTypes
    .map((value) => ({ value, label: statuses.documentType[value] }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
  const isAsked = isOther || shipments.length === 0
  return (
    <div className={styles.choices}>
      <SelectField<DocumentType | ''>
        aria-label={`${m.type}: ${file.name}`}
        value={type}
        options={[{ value: '', label: m.noType }, ...types]}
        onChange={(value) => changeFile(id, { type: value })}
      />
      {shipments.length > 0 && (
        <SelectField
          aria-label={`${m.shipment}: ${file.name}`}
          value={isOther ? other : target}
          options={[
            { value: '', label: m.noShipment },
            ...shipments.map((each) => ({
              value: targetOf(each),
              label: `${each.svc_shipment_id} · ${nameOf(each.account)}`,
            })),
            { value: other, label: m.other },
          ]}
          onChange={(value) => {
            setOther(value === other)
            changeFile(id, { target: value === other ? '' : value })
          }}
        />
      )}
      {isAsked && <NumberForm row={row} onFound={() => setOther(false)} />}
    </div>
  )
}

const other = '-'

/** Finds a shipment by any of its numbers. */
function NumberForm({ row: { id, file, shipments }, onFound }: { row: DeskFile; onFound: () => void }) {
  const { documents: m } = useOfficeMessages()
  const messages = useMessages()
  const [reference, setReference] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const find = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblem(undefined)
    try {
      const { shipments: found } = await ops.lookUpReference({ query: { reference: reference.trim() } })
      const targets = new Set(shipments.map(targetOf))
      const added = found.filter((each) => !targets.has(targetOf(each)))
      const unique = added.filter((each, at) => added.findIndex((one) => targetOf(one) === targetOf(each)) === at)
      const [first] = found
      if (!first) return setProblem(m.noSuchNumber)
      const all = [...shipments, ...unique.map((each) => ({ ...each, account_name: each.account, found: [] }))]
      changeFile(id, { shipments: all, target: targetOf(first) })
      onFound()
    } catch (error) {
      setProblem(explain(error, messages).what)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className={styles.find} onSubmit={(event) => void find(event)}>
      <Field
        aria-label={`${m.number}: ${file.name}`}
        placeholder={m.number}
        value={reference}
        error={problem}
        onChange={(event) => setReference(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={isBusy} disabled={reference.trim() === ''}>
        {m.find}
      </Button>
    </form>
  )
}

function FiledIn({ row: { target } }: { row: DeskFile }) {
  const { documents: m } = useOfficeMessages()
  const nameOf = useAccountNames()
  const [account = '', svc_shipment_id = ''] = target.split('\n')
  return (
    <p className={styles.filed}>
      <IconCheck size={16} aria-hidden="true" /> {m.filedIn}{' '}
      <AppLink href={paths.shipment(account, svc_shipment_id)}>{svc_shipment_id}</AppLink>
      <span className="soft"> · {nameOf(account)}</span>
    </p>
  )
}
