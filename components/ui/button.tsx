import type { ComponentProps } from 'react'
import { button } from './recipes/button'

export interface ButtonProps extends ComponentProps<'button'> {
  /** `go`: the one decision; `go-next`: the same, not the current card; `ink`: Send; `quiet`: no edge; `danger`: deletes. */
  readonly look?: 'plain' | 'go' | 'go-next' | 'ink' | 'quiet' | 'danger'
  /** Keeps room for a key hint, so that focus changes no size. */
  readonly wide?: boolean
  /** Round, over what scrolls. */
  readonly floats?: boolean
}

export function Button({
  look = 'plain',
  wide = false,
  floats = false,
  className,
  type = 'button',
  ...rest
}: ButtonProps) {
  const looks = button({ look: look === 'plain' ? undefined : look, wide, floats }, className)
  return <button type={type} className={looks} {...rest} />
}
