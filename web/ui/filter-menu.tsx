import { IconChevronDown } from '@tabler/icons-react'
import { useMessages } from '../portal/i18n/messages.js'
import styles from './filter-menu.module.css'
import { Options, type OptionsProps } from './options.js'
import options from './options.module.css'
import { Popover } from './popover.js'

type Single = { multiple?: false; value: string | undefined; onChange: (value: string | undefined) => void }
type Multiple = { multiple: true; value: string[]; onChange: (value: string[]) => void }
type Props = OptionsProps &
  (Single | Multiple) & {
    /** When the pointer or the focus comes to it: options that are not loaded yet are there when it opens. */
    onNear?: () => void
  }

/** A filter of a list. Its button shows the current value. */
export function FilterMenu(props: Props) {
  const { common } = useMessages()
  const { label, onNear } = props
  const selected = props.multiple ? props.value : props.value === undefined ? [] : [props.value]
  const names = selected.map((value) => props.options.find((option) => option.value === value)?.label ?? value)
  const shown = names.length > 2 ? `${names[0]} +${names.length - 1}` : names.join(', ')
  const select = (value: string, isSelected: boolean) => {
    if (!props.multiple) props.onChange(value)
    else props.onChange(isSelected ? [...props.value, value] : props.value.filter((other) => other !== value))
  }
  return (
    <Popover
      label={label}
      className={options.popover ?? ''}
      trigger={(trigger) => (
        <button
          type="button"
          className={styles.button}
          data-set={selected.length > 0}
          onPointerEnter={onNear}
          onFocus={onNear}
          {...trigger}
        >
          <span>
            {label}
            {shown && common.colon}
          </span>
          {shown && <span className="clipped strong">{shown}</span>}
          <IconChevronDown size={14} aria-hidden="true" />
        </button>
      )}
    >
      {(close) => (
        <Options
          {...props}
          isMultiple={props.multiple === true}
          selected={selected}
          onSelect={select}
          onClear={() => (props.multiple ? props.onChange([]) : props.onChange(undefined))}
          close={close}
        />
      )}
    </Popover>
  )
}
