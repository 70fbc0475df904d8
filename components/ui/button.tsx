import type { ComponentProps } from 'react'

export interface ButtonProps extends ComponentProps<'button'> {
  /** `go`: the one decision; `go-next`: the same, not the current card; `ink`: Send; `quiet`: no edge. */
  readonly look?: 'plain' | 'go' | 'go-next' | 'ink' | 'quiet'
  /** Keeps room for a key hint, so that focus changes no size. */
  readonly wide?: boolean
}

const looks = { plain: '', go: ' go', 'go-next': ' go next', ink: ' ink', quiet: ' quiet' } as const

export function Button({ look = 'plain', wide = false, className, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={`btn${looks[look]}${wide ? ' wide' : ''}${className ? ` ${className}` : ''}`}
      {...rest}
    />
  )
}
