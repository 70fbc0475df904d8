import type { ComponentProps } from 'react'

/** An underlined word that does something small: raw, copy, show all. */
export function TextButton({ className, type = 'button', ...rest }: ComponentProps<'button'>) {
  return <button type={type} className={`text-btn${className ? ` ${className}` : ''}`} {...rest} />
}
