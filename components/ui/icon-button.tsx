import { visibleProse } from '@/lib/base/untrusted-text/prose'
import type { ComponentProps } from 'react'
import { Icon, type IconName } from './icon'
import { iconButton } from './recipes/button'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  readonly icon: IconName
  /** The button's accessible name; also its tooltip. */
  readonly label: string
  /** `sm`: under a message; `xs`: in a row of a list. */
  readonly size?: 'sm' | 'xs'
}

export function IconButton({ icon, label, size, className, type = 'button', ...rest }: IconButtonProps) {
  return (
    <button
      type={type}
      className={iconButton({ size }, className)}
      aria-label={visibleProse(label)}
      title={visibleProse(label)}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  )
}
