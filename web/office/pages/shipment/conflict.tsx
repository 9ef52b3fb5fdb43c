import { useState } from 'react'
import { Button } from '../../../ui/button.js'
import { DialogActions } from '../../../ui/dialog.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import styles from './file.module.css'
import type { Difference, FieldName } from './shipment-fields.js'

type Props = {
  differences: Difference[]
  isBusy: boolean
  onChoose: (chosen: Partial<Record<FieldName, string>>) => void
}

/** Both versions by field, one of which is chosen. What the other person saved is kept unless this one decides otherwise. */
export function Conflict({ differences, isBusy, onChoose }: Props) {
  const { file: m } = useOfficeMessages()
  const [mine, setMine] = useState(new Set(differences.filter(({ isMine }) => isMine).map(({ text }) => text)))
  const choose = (text: FieldName, isMine: boolean) =>
    setMine(new Set([...mine].filter((other) => other !== text).concat(isMine ? [text] : [])))
  const option = (difference: Difference, isMine: boolean) => (
    <label className={styles.values}>
      <input
        type="radio"
        name={difference.text}
        checked={mine.has(difference.text) === isMine}
        onChange={() => choose(difference.text, isMine)}
      />{' '}
      {(isMine ? difference.mine : difference.theirs) || <span className="soft">{m.nothing}</span>}
    </label>
  )
  return (
    <>
      <p>{m.conflictText}</p>
      <PlainTable
        label={m.conflict}
        rows={differences}
        rowKey={({ text }) => text}
        columns={[
          { id: 'field', header: m.field, isName: true, cell: ({ text }) => m[text] },
          { id: 'mine', header: m.mine, cell: (each) => option(each, true) },
          { id: 'theirs', header: m.theirs, cell: (each) => option(each, false) },
        ]}
      />
      <DialogActions>
        <Button
          loading={isBusy}
          onClick={() =>
            onChoose(
              Object.fromEntries(differences.map((each) => [each.text, mine.has(each.text) ? each.mine : each.theirs])),
            )
          }
        >
          {m.keepChosen}
        </Button>
      </DialogActions>
    </>
  )
}
