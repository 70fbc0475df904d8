'use client'

import { PageHead } from '@/components/ui/page/page-head'
import { PageLink } from '@/components/ui/page/page-link'
import type { ReactNode } from 'react'
import { cx } from '@/components/ui/recipes/recipe'
import { useLanguage } from '@/components/ui/page/use-language'
import { t } from '@/lib/i18n/t'

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
