'use client'

import type { MouseEvent, AnchorHTMLAttributes } from 'react'
import { useRouter } from 'next/navigation'
import { withBase } from '@/lib/base/base-path'
import { changePage } from './page-change'

/** Whether a click on a link is for this page: the browser handles a new tab, a new window or a download. */
export const isPlainClick = ({ metaKey, ctrlKey, shiftKey, altKey, button }: MouseEvent): boolean =>
  !metaKey && !ctrlKey && !shiftKey && !altKey && button === 0

export interface PageLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'onClick'> {
  /** The path of one of our pages, without the base path. */
  readonly href: string
}

/**
 * A link to another page of ours, which opens without a reload, so that code running in this page continues. Next's own
 * link does the same and also prefetches pages, which we don't need, for 3 kB in each chunk that uses it.
 */
export function PageLink({ href, children, ...rest }: PageLinkProps) {
  const router = useRouter()
  return (
    <a
      {...rest}
      href={withBase(href)}
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        changePage(() => router.push(href))
      }}
    >
      {children}
    </a>
  )
}
