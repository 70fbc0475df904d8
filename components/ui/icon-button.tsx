import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import type { ComponentProps } from 'react'
import { Icon, type IconName } from './icon'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  readonly icon: IconName
  /** The button's accessible name; also its tooltip. */
  readonly label: string
}

export function IconButton({ icon, label, className, type = 'button', ...rest }: IconButtonProps) {
  return (
    <button
      type={type}
      className={`icon${className ? ` ${className}` : ''}`}
      aria-label={visibleText(label, 'prose')}
      title={visibleText(label, 'prose')}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  )
}
