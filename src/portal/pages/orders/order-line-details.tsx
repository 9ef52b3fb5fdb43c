import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/InlineInput.css'
import { Checkbox, TextInput } from '@mantine/core'
import { useMessages } from '../../i18n/messages.js'
import { type LineDraft, type LineField, linePointer } from './order-draft.js'
import type { LineActs } from './order-line-row.js'
import styles from './order-lines.module.css'
import { ParametersField } from './parameters-field.js'

type OrderLineDetailsProps = {
  line: LineDraft
  index: number
  faults: Record<string, string> | undefined
  acts: LineActs
  inputOf(field: LineField): object
}

const parameters = '/product/custom_parameters'

/** What few lines need: a description, hazards, the volume, parameters of the product. */
export function OrderLineDetails({ line, index, faults, acts, inputOf }: OrderLineDetailsProps) {
  const m = useMessages()
  const { fields } = m.orderForm
  const isHazardous = line.is_hazardous === 'true'
  const labelled = (field: LineField) => ({ ...inputOf(field), label: fields[field], autoComplete: 'off' })
  return (
    <div className={styles.details}>
      <TextInput {...labelled('description')} className={styles.wide} />
      <TextInput
        {...labelled('volume')}
        inputMode="decimal"
        rightSection="m³"
        description={m.orderForm.volumeHint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      <div className={styles.hazard}>
        <Checkbox
          name={linePointer(index, '/product/is_hazardous')}
          label={m.orderForm.isHazardous}
          checked={isHazardous}
          error={faults?.['/product/is_hazardous']}
          onChange={(event) =>
            acts.change(
              line.key,
              { is_hazardous: event.currentTarget.checked ? 'true' : 'false' },
              linePointer(index, '/product/is_hazardous'),
            )
          }
        />
        {(isHazardous || line.hazardous_description !== '') && <TextInput {...labelled('hazardous_description')} />}
      </div>
      <div className={styles.wide}>
        <p className={styles.groupTitle}>{m.orderForm.productParameters}</p>
        <ParametersField
          pointer={linePointer(index, parameters)}
          label={m.orderForm.productParametersOf(index + 1)}
          values={line.custom_parameters}
          faultAt={(pointer) => faults?.[pointer.slice(linePointer(index).length)]}
          onChange={(custom_parameters, pointer) => acts.change(line.key, { custom_parameters }, pointer)}
          onLeave={acts.leave}
        />
      </div>
    </div>
  )
}
