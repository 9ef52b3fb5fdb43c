import { IconChevronDown } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { FieldFrame } from './field.js'
import field from './field.module.css'
import { type Option, Options } from './options.js'
import options from './options.module.css'
import { Popover } from './popover.js'

type Props = {
  label: string
  description?: ReactNode
  error?: ReactNode
  value: string
  options: Option[]
  onChange: (value: string) => void
}

/** One of many values, found by typing part of its name. */
export function SearchableSelect({ label, description, error, value, options: all, onChange }: Props) {
  const shown = all.find((option) => option.value === value)?.label ?? value
  return (
    <FieldFrame label={label} description={description} error={error}>
      {(control) => (
        <Popover
          label={label}
          className={options.popover ?? ''}
          trigger={(trigger) => (
            <div className={field.box}>
              <button
                type="button"
                {...control}
                aria-labelledby={`${control.id}-label ${control.id}`}
                className={field.control}
                {...trigger}
              >
                {shown}
              </button>
              <span className={field.chevron}>
                <IconChevronDown size={16} aria-hidden="true" />
              </span>
            </div>
          )}
        >
          {(close) => (
            <Options
              label={label}
              options={all}
              isMultiple={false}
              selected={[value]}
              onSelect={onChange}
              close={close}
            />
          )}
        </Popover>
      )}
    </FieldFrame>
  )
}
