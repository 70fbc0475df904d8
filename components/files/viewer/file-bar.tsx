import type { ReactNode } from 'react'
import { row } from '@/components/ui/recipes/surface'
import { recipe } from '@/components/ui/recipes/recipe'
import { t } from '@/lib/i18n/t'
import { Spinner } from '@/components/ui/page/wait'

export interface FileBarProps {
  /** Facts about the view, e.g. "600 × 900 pixels". */
  readonly facts: ReactNode
  readonly children?: ReactNode
}

/** The bar above a picture, a table or bytes: facts, and view controls. */
export const FileBar = ({ facts, children }: FileBarProps) => (
  <div className={row({}, 'min-h-10 flex-none justify-between border-b border-line px-5 py-1')}>
    <span className="text-sm text-muted tabular-nums">{facts}</span>
    {children}
  </div>
)

export interface FileNoticeProps {
  readonly tone?: 'quiet' | 'failed'
  readonly role?: 'alert' | 'status'
  readonly children: ReactNode
}

const say = recipe('px-5 py-3 text-sm text-pretty [&_svg]:inline-block [&_svg]:align-[-0.1875rem]', {
  tone: { default: '', quiet: 'text-muted', failed: 'text-danger' },
})

/** A sentence about the file, above it or in its place. */
export function FileNotice({ tone, role, children }: FileNoticeProps) {
  return (
    <p role={role} className={say({ tone })}>
      {children}
    </p>
  )
}

/** Shown while the viewer is loading. */
export const Opening = ({ what = t('files-viewer.opening') }: { readonly what?: string }) => (
  <FileNotice role="status">
    <Spinner /> {what}
  </FileNotice>
)
