import type { FormEvent } from 'react'
import { eventCodes } from '../../../../src/contract/public/event-codes.js'
import { Facts } from '../../../portal/pages/shipment/facts.js'
import { Button } from '../../../ui/button.js'
import { SelectField } from '../../../ui/field.js'
import { useDraft } from '../../../ui/use-draft.js'
import actionStyles from '../../actions/actions.module.css'
import { useActions } from '../../actions/use-actions.js'
import { ops, useMayDo } from '../../api/ops.js'
import { useOfficeMessages } from '../../i18n/messages.js'
import type { ItemOf } from './work-item.js'

type EventCode = (typeof eventCodes)[number]
const statuses = ['message', 'planned', 'estimated', 'actual'] as const

export function CodePanel({ item: { code, key } }: { item: ItemOf<'code'> }) {
  const { work: m } = useOfficeMessages()
  return (
    <>
      <Facts
        facts={[
          [
            m.types.code,
            <span key="code" className="mono">
              {code.code}
            </span>,
          ],
          [m.codeText, code.text],
          [m.sender, code.sender],
          [m.format, code.format],
          [m.seen, m.codeCount(code.count)],
        ]}
      />
      {useMayDo('operate') && <MappingForm key={key} code={code} />}
    </>
  )
}

function MappingForm({ code: { sender, format, code } }: Pick<ItemOf<'code'>, 'code'>) {
  const { work: m, feeds } = useOfficeMessages()
  const { run, isBusy } = useActions()
  const [{ meaning, status }, change, drop] = useDraft<{
    meaning: EventCode | ''
    status: (typeof statuses)[number]
  }>(`map ${sender} ${format} ${code}`, { meaning: '', status: 'message' })
  const params = { sender, format, code }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (meaning === '') return
    void run(async () => {
      await ops.mapCode({
        params,
        body: { mapped_to: meaning, ...(status !== 'message' && { mapped_status: status }) },
      })
      drop()
      return { text: m.done.mapped(code), undo: () => ops.unmapCode({ params }) }
    })
  }
  return (
    <form className={actionStyles.form} onSubmit={submit}>
      <SelectField
        label={m.meaning}
        value={meaning}
        options={[
          { value: '', label: m.chooseMeaning },
          ...eventCodes.map((value) => ({ value, label: feeds.codes[value] })),
        ]}
        onChange={(value) => change({ meaning: value })}
      />
      <SelectField
        label={m.status}
        value={status}
        options={statuses.map((value) => ({ value, label: m.statuses[value] }))}
        onChange={(value) => change({ status: value })}
      />
      <Button type="submit" loading={isBusy} disabled={meaning === ''}>
        {m.map}
      </Button>
    </form>
  )
}
