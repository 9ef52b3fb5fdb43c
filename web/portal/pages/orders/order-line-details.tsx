import { Checkbox } from '../../../ui/choices.js'
import { Field } from '../../../ui/field.js'
import { useMessages } from '../../i18n/messages.js'
import { type LineActions, type LineDraft, type LineField, linePointer } from './order-draft.js'
import styles from './order-lines.module.css'
import { ParametersField } from './parameters-field.js'

type OrderLineDetailsProps = {
  line: LineDraft
  index: number
  faults: Record<string, string> | undefined
  actions: LineActions
  inputOf(field: LineField): object
}

const parameters = '/product/custom_parameters'

/** The rarely used fields of a line. */
export function OrderLineDetails({ line, index, faults, actions, inputOf }: OrderLineDetailsProps) {
  const m = useMessages()
  const { fields } = m.orderForm
  const isHazardous = line.is_hazardous === 'true'
  const labelled = (field: LineField) => ({ ...inputOf(field), label: fields[field], autoComplete: 'off' })
  return (
    <div className={styles.details}>
      <Field {...labelled('description')} className={styles.wide} />
      <Field {...labelled('volume')} inputMode="decimal" aside="m³" description={m.orderForm.volumeHint} />
      <div className={styles.hazard}>
        <Checkbox
          name={linePointer(index, '/product/is_hazardous')}
          label={m.orderForm.isHazardous}
          checked={isHazardous}
          error={faults?.['/product/is_hazardous']}
          onChange={(event) =>
            actions.change(
              line.key,
              { is_hazardous: event.currentTarget.checked ? 'true' : 'false' },
              linePointer(index, '/product/is_hazardous'),
            )
          }
        />
        {(isHazardous || line.hazardous_description !== '') && <Field {...labelled('hazardous_description')} />}
      </div>
      <div className={styles.wide}>
        <p className={styles.groupTitle}>{m.orderForm.productParameters}</p>
        <ParametersField
          pointer={linePointer(index, parameters)}
          label={m.orderForm.productParametersOf(index + 1)}
          values={line.custom_parameters}
          faultAt={(pointer) => faults?.[pointer.slice(linePointer(index).length)]}
          onChange={(custom_parameters, pointer) => actions.change(line.key, { custom_parameters }, pointer)}
          onLeave={actions.leave}
        />
      </div>
    </div>
  )
}
