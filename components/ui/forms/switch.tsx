import type { ComponentProps } from 'react'
import { cx } from '../recipes/recipe'

export interface SwitchProps extends Omit<ComponentProps<'button'>, 'onChange' | 'aria-label' | 'children'> {
  readonly label: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

export function Switch({ label, checked, onChange, className, ...rest }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      className={cx(
        'relative h-4.5 w-8 rounded-full border border-control bg-raised after:absolute after:start-0.5 after:top-0.5 after:size-3 after:rounded-full after:bg-control after:transition-[inset-inline-start] after:duration-base after:ease-soft',
        'aria-checked:border-ink aria-checked:bg-ink aria-checked:after:start-[calc(100%-14px)] aria-checked:after:bg-on-ink disabled:opacity-50',
        // As large as a fingertip on touch.
        'pointer-coarse:before:absolute pointer-coarse:before:-inset-x-1.5 pointer-coarse:before:-inset-y-3.5',
        className,
      )}
      onClick={() => onChange(!checked)}
      {...rest}
    />
  )
}
