import { IconPlus, IconTrash } from '@tabler/icons-react'
import { Button, IconButton } from '../../../ui/button.js'
import { Field } from '../../../ui/field.js'
import { useMessages } from '../../i18n/messages.js'
import { newKey, type ParameterDraft } from './order-draft.js'
import styles from './order-form.module.css'

type ParametersFieldProps = {
  /** JSON pointer of the list in the request body. */
  pointer: string
  label: string
  values: ParameterDraft[]
  faultAt(pointer: string): string | undefined
  onChange(values: ParameterDraft[], pointer?: string): void
  onLeave(pointer: string): void
}

/** A list of custom names and values. */
export function ParametersField({ pointer, label, values, faultAt, onChange, onLeave }: ParametersFieldProps) {
  const m = useMessages()
  const fault = faultAt(pointer)
  const set = (index: number, name: 'name' | 'value', text: string) =>
    onChange(
      values.map((each, position) => (position === index ? { ...each, [name]: text } : each)),
      `${pointer}/${index}/${name}`,
    )
  return (
    <div role="group" aria-label={label} className={styles.parameters}>
      {values.map((parameter, index) => (
        <div key={parameter.key} className={styles.parameter}>
          {(['name', 'value'] as const).map((name) => (
            <Field
              key={name}
              name={`${pointer}/${index}/${name}`}
              aria-label={m.orderForm.parameterField(m.orderForm[name], index + 1)}
              placeholder={m.orderForm[name]}
              value={parameter[name]}
              error={faultAt(`${pointer}/${index}/${name}`)}
              onChange={(event) => set(index, name, event.currentTarget.value)}
              onBlur={() => onLeave(`${pointer}/${index}/${name}`)}
            />
          ))}
          <IconButton
            aria-label={m.orderForm.removeParameter(index + 1)}
            onClick={() => onChange(values.filter((each) => each !== parameter))}
          >
            <IconTrash size={18} stroke={1.6} aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      {fault !== undefined && (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      )}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={16} />}
        onClick={() => onChange([...values, { key: newKey(), name: '', value: '' }])}
      >
        {m.orderForm.addParameter}
      </Button>
    </div>
  )
}
