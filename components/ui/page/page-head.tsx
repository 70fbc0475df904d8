'use client'

import type { MouseEvent, AnchorHTMLAttributes, ReactNode } from 'react'
import { useRouter } from 'next/navigation'
import { withBase } from '@/lib/base/base-path'
import { changePage } from './page-change'
import { t } from '@/lib/i18n/t'
import { Icon } from '../controls/icon'
import { useLanguage } from './use-language'
import { iconButton } from '../recipes/button'
import { recipe } from '../recipes/recipe'

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

const bar = recipe(
  'sticky top-0 z-bar flex min-h-bar flex-none items-center gap-2 border-b border-line bg-surface ps-5 pe-3 narrow:static narrow:px-1',
  { crowded: { default: '', on: 'max-[64rem]:flex-wrap max-[64rem]:py-1 narrow:gap-0 short:min-h-10' } },
)
const name = recipe('font-strong', {
  crowded: { default: 'me-auto', on: 'me-4 max-[64rem]:me-auto narrow:flex-1 narrow:ps-1' },
})

interface PageHeadProps {
  readonly title: string
  /** It contains so much that it takes several lines in a small window. */
  readonly crowded?: boolean
  readonly children?: ReactNode
}

/** The header of a page beside the chat: the way back, its name, and its page-wide controls. */
export function PageHead({ title, crowded = false, children }: PageHeadProps) {
  useLanguage()
  return (
    <header className={bar({ crowded })}>
      <PageLink
        className={iconButton({}, 'narrow:size-touch short:size-9')}
        href="/"
        aria-label={t('control.back')}
        title={t('control.back')}
      >
        <Icon name="left" />
      </PageLink>
      <h1 className={name({ crowded })}>{title}</h1>
      {children}
    </header>
  )
}
