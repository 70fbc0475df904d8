'use client'

import { withBase } from '@/lib/base/base-path'
import { CopyButton } from '@/components/ui/controls/copy-button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { panel } from '@/components/ui/recipes/surface'
import { PageHead, PageLink } from '@/components/ui/page/page-head'
import type { ReactNode } from 'react'
import { cx } from '@/components/ui/recipes/recipe'
import { useLanguage } from '@/components/ui/page/use-language'
import { t } from '@/lib/i18n/t'

/** A link that is shown only once: the server stores only a hash of its code. */
export function OneTimeLink({ path, about }: { path: string; about: string }) {
  const address = new URL(withBase(path), window.location.href).href
  return (
    <div role="status" className={panel(undefined, 'grid gap-1 p-3')}>
      <p className="text-sm">
        <SentenceText text={about} />
      </p>
      <p className="flex items-start gap-2">
        <code className="min-w-0 flex-1 font-mono text-mono wrap-anywhere select-all">
          <SentenceText text={address} />
        </code>
        <CopyButton text={() => address} />
      </p>
    </div>
  )
}

const pages = [
  ['/admin', 'admin.overview'],
  ['/admin/accounts', 'admin.accounts'],
  ['/admin/invitations', 'admin.invitations'],
  ['/admin/audit', 'admin.audit'],
] as const

export type AdminPath = (typeof pages)[number][0]

/** The frame of all admin pages: their header and navigation. */
export function AdminFrame({ here, children }: { here: AdminPath; children: ReactNode }) {
  useLanguage()
  return (
    <div className="flex min-h-dvh flex-col">
      <PageHead title={t('admin.title')} />
      <main className="mx-auto grid w-full max-w-[64rem] gap-6 px-6 py-4 narrow:px-3.5">
        <nav aria-label={t('admin.title')} className="flex flex-wrap gap-x-5 gap-y-1 border-b border-line">
          {pages.map(([path, name]) => (
            <PageLink
              key={path}
              href={path}
              aria-current={path === here ? 'page' : undefined}
              className={cx(
                '-mb-px border-b-2 px-0.5 py-2',
                path === here ? 'border-ink font-medium' : 'border-transparent text-muted hover:text-text',
              )}
            >
              {t(name)}
            </PageLink>
          ))}
        </nav>
        {children}
      </main>
    </div>
  )
}

/** Links to the other pages of a list. */
export function PageLinks({
  next,
  isFirst,
  href,
}: {
  next: string | null
  isFirst: boolean
  href: (after: string | null) => string
}) {
  if (next === null && isFirst) return null
  return (
    <p className="flex gap-4">
      {isFirst ? null : (
        <PageLink className="underline" href={href(null)}>
          {t('admin.first-page')}
        </PageLink>
      )}
      {next === null ? null : (
        <PageLink className="underline" href={href(next)}>
          {t('admin.next-page')}
        </PageLink>
      )}
    </p>
  )
}
