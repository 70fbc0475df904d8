import type { ReactNode } from 'react'
import { t } from '@/lib/i18n/t'
import { Icon } from '../controls/icon'
import { PageLink } from './page-link'
import { iconButton } from '../recipes/button'
import { recipe } from '../recipes/recipe'

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
