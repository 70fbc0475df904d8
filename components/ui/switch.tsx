import type { ComponentProps } from 'react'

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
      className={`switch${className ? ` ${className}` : ''}`}
      onClick={() => onChange(!checked)}
      {...rest}
    />
  )
}
