import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/button.js'
import { DialogActions } from '../../../ui/dialog.js'
import { PlainTable } from '../../../ui/plain-table.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import styles from './file.module.css'

export type FieldConflict = {
  name: string
  label: ReactNode
  mine: string
  theirs: string
  /** Chosen at first: only this person changed it. */
  isMine: boolean
}

type Props = {
  differences: FieldConflict[]
  isBusy: boolean
  /** With the names of the fields whose own value is kept. */
  onChoose: (mine: Set<string>) => void
}

/** Both versions by field, one of which is chosen. What the other person saved is kept unless this one decides otherwise. */
export function Conflict({ differences, isBusy, onChoose }: Props) {
  const { file: m } = useOfficeMessages()
  const [mine, setMine] = useState(new Set(differences.filter(({ isMine }) => isMine).map(({ name }) => name)))
  const choose = (name: string, isMine: boolean) =>
    setMine(new Set([...mine].filter((other) => other !== name).concat(isMine ? [name] : [])))
  const option = (difference: FieldConflict, isMine: boolean) => (
    <label className={styles.values}>
      <input
        type="radio"
        name={difference.name}
        checked={mine.has(difference.name) === isMine}
        onChange={() => choose(difference.name, isMine)}
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
        rowKey={({ name }) => name}
        columns={[
          { id: 'field', header: m.field, isName: true, cell: ({ label }) => label },
          { id: 'mine', header: m.mine, cell: (each) => option(each, true) },
          { id: 'theirs', header: m.theirs, cell: (each) => option(each, false) },
        ]}
      />
      <DialogActions>
        <Button loading={isBusy} onClick={() => onChoose(mine)}>
          {m.keepChosen}
        </Button>
      </DialogActions>
    </>
  )
}
