'use client'

import { labelOf } from '@/lib/base/foreign-text/foreign'
import { usePageFrame, type PageFrameOptions } from './use-page-frame'

/** A page of the workspace, running in its sealed frame. Another page, or the same one once more, is another frame (`key`). */
export function PageFrame({ label, ...options }: PageFrameOptions & { readonly label: string }) {
  const frame = usePageFrame(options)
  return (
    <iframe
      ref={frame}
      title={labelOf(label)}
      className="block min-h-0 w-full flex-1 bg-paper scheme-light"
      sandbox="allow-scripts allow-forms"
      referrerPolicy="no-referrer"
    />
  )
}
