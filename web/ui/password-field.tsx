import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { type ComponentProps, useState } from 'react'
import { useMessages } from '../portal/i18n/messages.js'
import { IconButton } from './button.js'
import { Field } from './field.js'

/** A password, which can be shown while it is typed. */
export function PasswordField(props: Omit<ComponentProps<typeof Field>, 'type' | 'aside'>) {
  const { common } = useMessages()
  const [isShown, setShown] = useState(false)
  const Icon = isShown ? IconEyeOff : IconEye
  return (
    <Field
      {...props}
      type={isShown ? 'text' : 'password'}
      aside={
        <IconButton
          aria-label={common.showPassword}
          aria-pressed={isShown}
          title={common.showPassword}
          onClick={() => setShown(!isShown)}
        >
          <Icon size={18} stroke={1.6} aria-hidden="true" />
        </IconButton>
      }
    />
  )
}
