'use client'

import { usePathname, useRouter } from 'next/navigation'
import { useMemo } from 'react'
import { changePage } from '@/components/ui/page/page-change'
import { paletteEntry, type PaletteEntry } from './palette-entry'
import { t } from '@/lib/i18n/t'
import type { IconName } from '@/components/ui/controls/icon'

/** A page beside the chat, or a part of one. */
interface PageLine {
  /** Without the base path; a fragment names the part. */
  readonly href: string
  readonly icon: IconName
  readonly label: string
  readonly also?: string
}

const playgroundParts = ['read', 'run', 'prompt', 'tools'] as const
const settingsParts = ['new-chats', 'presets', 'data'] as const
const adminParts = ['accounts', 'invitations', 'audit'] as const

const partOf = (page: string, part: string): string => t('command.part', { page, part })

/** All pages that this visitor may go to. */
function pageList(visitor: { readonly hasAccounts: boolean; readonly isAdmin: boolean }): readonly PageLine[] {
  const playground = t('command.do.playground')
  const settings = t('command.do.preferences')
  const admin = t('admin.title')
  return [
    { href: '/settings', icon: 'settings', label: settings, also: t('command.also.preferences') },
    ...settingsParts.map((id): PageLine => ({
      href: `/settings#${id}`,
      icon: 'settings',
      label: partOf(settings, t(`preferences.tab.${id}`)),
    })),
    { href: '/playground', icon: 'quote', label: playground },
    ...playgroundParts.map((id): PageLine => ({
      href: `/playground#${id}`,
      icon: 'quote',
      label: partOf(playground, t(`play.panel.${id}`)),
    })),
    { href: '/lab', icon: 'lab', label: t('command.do.lab') },
    ...(visitor.hasAccounts ? [{ href: '/account', icon: 'user', label: t('command.do.account') } as const] : []),
    ...(visitor.isAdmin
      ? [
          { href: '/admin', icon: 'user', label: admin } as const,
          ...adminParts.map((id): PageLine => ({
            href: `/admin/${id}`,
            icon: 'user',
            label: partOf(admin, t(`admin.${id}`)),
          })),
        ]
      : []),
    { href: '/licences', icon: 'info', label: t('command.do.licences') },
  ]
}

/** Of the page that is open: the router would change the address without a word to what listens for it. */
function goToPart(part: string): void {
  window.location.hash = part
}

/** The pages beside the chat and their parts; all but the page that is open. */
export function useNavigationEntries(): readonly PaletteEntry[] {
  const router = useRouter()
  const pathname = usePathname()
  return useMemo(() => {
    const { account, admin } = document.documentElement.dataset
    const pages = pageList({ hasAccounts: account !== undefined, isAdmin: admin !== undefined })
    const go = (href: string) => {
      const [path, part] = href.split('#')
      if (path === pathname && part !== undefined) goToPart(part)
      else changePage(() => router.push(href))
    }
    return pages
      .filter(({ href }) => href !== pathname)
      .map(({ href, icon, label, also }) =>
        paletteEntry({ id: `page ${href}`, group: 'places', icon, label, run: () => go(href) }, also),
      )
  }, [router, pathname])
}
