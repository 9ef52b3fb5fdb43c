import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../ui/button.js'
import { SelectField } from '../../../ui/field.js'
import { morning, useActions } from '../../actions/use-actions.js'
import { handledWorkQuery, useOperator } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import { type Handling, handleItems } from './handling.js'
import type { WorkItem } from './work-item.js'

/** Assign an item, put it aside, and take it up again. */
export function HandlingButtons({ item }: { item: WorkItem }) {
  const { work: m } = useOfficeMessages()
  const actions = useActions()
  const { name } = useOperator()
  const { owner, snoozedUntil } = item
  const handle = (handling: Handling) => void handleItems(actions, m, [item], handling)
  const buttons: [text: string, handling: Handling, key?: string][] = [
    owner === name
      ? [m.unassign, { action: 'assign', owner: '' }]
      : [m.assignToMe, { action: 'assign', owner: name }, 'm'],
    ...(snoozedUntil === undefined
      ? ([
          [m.snooze, { action: 'snooze', until: morning(1) }, 's'],
          [m.snoozeWeek, { action: 'snooze', until: morning(7) }],
        ] as [string, Handling, string?][])
      : ([[m.wake, { action: 'wake' }]] as [string, Handling][])),
  ]
  return (
    <>
      {buttons.map(([text, handling, key]) => (
        <Button key={text} size="xs" variant="default" disabled={actions.isBusy} onClick={() => handle(handling)}>
          {text} {key !== undefined && <kbd>{key}</kbd>}
        </Button>
      ))}
    </>
  )
}

/** Any of the forwarder's people. */
export function OwnerField({ item }: { item: WorkItem }) {
  const { work: m } = useOfficeMessages()
  const actions = useActions()
  const { name } = useOperator()
  const { data } = useQuery(handledWorkQuery())
  const { owner = '' } = item
  const people = [...new Set([...(data?.people ?? []), name, ...(owner === '' ? [] : [owner])])].toSorted()
  return (
    <SelectField
      label={m.owner}
      value={owner}
      options={[{ value: '', label: m.nobody }, ...people.map((each) => ({ value: each, label: each }))]}
      onChange={(chosen) => void handleItems(actions, m, [item], { action: 'assign', owner: chosen })}
    />
  )
}
