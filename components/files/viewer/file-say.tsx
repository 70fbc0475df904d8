import type { ReactNode } from 'react'
import { cx } from '@/components/ui/recipes/recipe'
import { Spinner } from '@/components/ui/spinner'

export interface FileSayProps {
  readonly tone?: 'plain' | 'quiet' | 'failed'
  readonly role?: 'alert' | 'status'
  readonly children: ReactNode
}

const tones = { plain: '', quiet: 'text-muted', failed: 'text-danger' } as const

/** A sentence about the file, over it or in its place. */
export function FileSay({ tone = 'plain', role, children }: FileSayProps) {
  return (
    <p
      role={role}
      className={cx('p-3 text-sm text-pretty [&_svg]:inline-block [&_svg]:align-[-0.1875rem]', tones[tone])}
    >
      {children}
    </p>
  )
}

/** While what shows the file is on its way. */
export const Opening = ({ what = 'Opening the file' }: { readonly what?: string }) => (
  <FileSay role="status">
    <Spinner /> {what}
  </FileSay>
)
