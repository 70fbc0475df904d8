import { t } from '@/lib/i18n/t'
import type { IconName } from '@/components/ui/icon'

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
export function pageList(visitor: { readonly hasAccounts: boolean; readonly isAdmin: boolean }): readonly PageLine[] {
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
