import type { ComponentProps } from 'react'
import { textButton } from './recipes/button'

/** An underlined word that does something small: raw, copy, show all. */
export function TextButton({ className, type = 'button', ...rest }: ComponentProps<'button'>) {
  return <button type={type} className={textButton({}, className)} {...rest} />
}
