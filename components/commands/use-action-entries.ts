'use client'

import { useMemo } from 'react'
import { useChat, useChatActions, useConversation, useThreadActions } from '@/components/context/chat-context'
import { getCommandHandler } from '@/components/context/commands'
import { focusMessages, messagesId } from '@/components/context/show-in-page'
import { useChangeChats } from '@/components/conversations/organise/use-chat-pages'
import type { IconName } from '@/components/ui/controls/icon'
import { commandKeys, type PageCommand } from '@/lib/client/commands/command-keys'
import { isPastedModel } from '@/lib/shared/conversation/wire/tab-run'
import { t } from '@/lib/i18n/t'
import {
  chatDialogs,
  nodDialogs,
  pageActions,
  type CommandDialog,
  paletteEntry,
  type PaletteEntry,
} from './palette-entry'
import { chooseLanguage } from '@/components/language/language-button'
import { useLanguage } from '@/components/ui/page/use-language'
import { languages, languageNames } from '@/lib/base/text/languages'
import { chooseAppearance } from '@/lib/client/wiring/page/appearance.browser'
import { usePathname, useRouter } from 'next/navigation'
import { changePage } from '@/components/ui/page/page-change'

const keysOf = (command: PageCommand): { readonly keys?: string } => {
  const [keys] = (commandKeys as Partial<Record<PageCommand, readonly string[]>>)[command] ?? []
  return keys === undefined ? {} : { keys }
}

const namesOf = <T extends object>(table: T) => Object.keys(table) as (keyof T)[]

/** Commands of the page that can run now. */
export function pageEntries(): readonly PaletteEntry[] {
  return namesOf(pageActions).flatMap((command) => {
    const run = getCommandHandler(command)
    const { group, icon, ...rest } = pageActions[command]
    const label = t(`command.do.${command}`)
    const also = 'also' in rest ? rest.also() : ''
    return run ? [paletteEntry({ id: command, group, icon, label, ...keysOf(command), run }, also)] : []
  })
}

const settingsTabs = ['prompt', 'format', 'tools', 'approval', 'limits', 'presets', 'log'] as const

/** Sections of the open chat's settings, by their address. */
const settingsEntries = (): readonly PaletteEntry[] =>
  settingsTabs.map((tab) =>
    paletteEntry({
      id: `settings ${tab}`,
      group: 'places',
      icon: 'settings',
      label: t('command.part', {
        page: t('command.do.settings'),
        part: t(`preferences.tab.${tab}`),
      }),
      run() {
        window.location.hash = `settings=${tab}`
      },
    }),
  )

/** Commands on the open chat as a whole. */
function useChatEntries(onDialog: (dialog: CommandDialog) => void): readonly PaletteEntry[] {
  const { stop: stopRun } = useThreadActions()
  const actions = useChatActions()
  const { change } = useChangeChats()
  const id = useConversation((view) => view.id)
  const stored = useConversation((view) => view.phase === 'ready')
  const busy = useConversation((view) => view.run !== null || view.sending)
  const pasted = useConversation((view) => isPastedModel(view.conversation?.settings.model ?? ''))
  const row = useChat((state) => state.conversations?.find((one) => one.id === id))
  return useMemo(() => {
    const pinned = row?.pinned === true
    const archived = row?.archived === true
    const entry = (name: string, icon: IconName, label: string, run: () => void, also = '') =>
      paletteEntry({ id: name, group: 'chat', icon, label, run }, also)
    const read = document.getElementById(messagesId)
      ? [entry('messages', 'read', t('command.do.messages'), focusMessages)]
      : []
    const stop = busy ? [entry('stop', 'cross', t('command.do.stop'), stopRun)] : []
    if (!stored) return [...stop, ...read]
    return [
      ...stop,
      ...read,
      entry('pin', 'pin', t(pinned ? 'command.do.unpin' : 'command.do.pin'), () => {
        void change([id], { pinned: !pinned })
      }),
      entry('archive', 'folder', t(archived ? 'command.do.unarchive' : 'command.do.archive'), () => {
        void change([id], { archived: !archived })
      }),
      ...namesOf(chatDialogs)
        // A model whose messages a person copies can't be asked for a name.
        .filter((name) => name !== 'name' || !pasted)
        .map((name) => {
          const { icon, ...rest } = chatDialogs[name]
          const also = 'also' in rest ? rest.also() : ''
          return entry(name, icon, t(`command.do.${name}`), () => onDialog(name), also)
        }),
      entry('delete', 'trash', t('command.do.delete'), () => void actions.remove([id]), t('command.also.delete')),
    ]
  }, [stopRun, actions, change, id, stored, busy, pasted, row, onDialog])
}

/** All commands that can run in the chat now. `onDialog` opens a dialog over the page. */
export function useActionEntries(onDialog: (dialog: CommandDialog) => void): readonly PaletteEntry[] {
  const hasSettings = useConversation((view) => view.conversation !== null)
  const ofChat = useChatEntries(onDialog)
  return useMemo(() => {
    const ofPage = pageEntries()
    return [
      // The chat's own commands come first.
      ...ofPage.filter(({ group }) => group === 'chat'),
      ...ofChat,
      ...ofPage.filter(({ group }) => group === 'workspace'),
      ...ofPage.filter(({ group }) => group === 'nod'),
      ...namesOf(nodDialogs).map((name) =>
        paletteEntry(
          {
            id: name,
            group: 'nod',
            icon: nodDialogs[name].icon,
            label: t(`command.do.${name}`),
            run: () => onDialog(name),
          },
          nodDialogs[name].also(),
        ),
      ),
      ...(hasSettings ? settingsEntries() : []),
    ]
  }, [ofChat, onDialog, hasSettings])
}

const themes = ['light', 'dark', 'system'] as const

/** Theme and language of this browser. */
export function useAppearanceEntries(): readonly PaletteEntry[] {
  const language = useLanguage()
  return useMemo(
    () => [
      ...themes.map((theme) =>
        paletteEntry(
          {
            id: `theme-${theme}`,
            group: 'nod',
            icon: 'theme',
            label: t(`command.do.theme-${theme}`),
            run: () => void chooseAppearance({ theme }),
          },
          t('command.also.theme'),
        ),
      ),
      ...languages
        .filter((one) => one !== language)
        .map((one) =>
          paletteEntry(
            { id: one, group: 'nod', icon: 'language', label: languageNames[one], run: () => void chooseLanguage(one) },
            t('command.also.language'),
          ),
        ),
    ],
    [language],
  )
}

/** A page beside the chat, or a section of one. */
interface PageLine {
  /** Without the base path; a fragment names the section. */
  readonly href: string
  readonly icon: IconName
  readonly label: string
  readonly also?: string
}

const playgroundParts = ['read', 'run', 'prompt', 'tools'] as const
const settingsParts = ['new-chats', 'presets', 'data'] as const
const adminParts = ['accounts', 'invitations', 'audit'] as const

const partOf = (page: string, part: string): string => t('command.part', { page, part })

/** All pages that this visitor may open. */
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

/** Opens a section of the open page. The router would change the address without firing `hashchange`. */
function goToPart(part: string): void {
  window.location.hash = part
}

/** The pages beside the chat and their sections, except the open page. */
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
