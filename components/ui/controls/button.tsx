import type { ComponentProps } from 'react'
import { button, iconButton, textButton } from '../recipes/button'
import { visibleProse } from '@/lib/base/untrusted-text/foreign-text'
import { Icon, type IconName } from './icon'

export interface ButtonProps extends ComponentProps<'button'> {
  /**
   * `go`: the primary decision; `go-next`: the same on a card that is not current; `ink`: Send; `pale`: Send with
   * nothing to send; `quiet`: no border; `danger`: deletes.
   */
  readonly look?: 'plain' | 'go' | 'go-next' | 'ink' | 'pale' | 'quiet' | 'danger'
  /** Reserves space for a key hint, so that focus changes no size. */
  readonly wide?: boolean
  /** Round, above scrolling content. */
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

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  readonly icon: IconName
  /** The button's accessible name; also its tooltip. */
  readonly label: string
  /** `sm`: under a message; `xs`: in a list row. */
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

/** An underlined text button for a small action: raw, copy, show all. */
export function TextButton({ className, type = 'button', ...rest }: ComponentProps<'button'>) {
  return <button type={type} className={textButton({}, className)} {...rest} />
}
