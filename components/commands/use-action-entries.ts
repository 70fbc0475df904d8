'use client'

import { useAui } from '@assistant-ui/react'
import { useRouter } from 'next/navigation'
import { useMemo } from 'react'
import { useChat, useChatActions, useConversation } from '@/components/context/chat-context'
import { doerOf } from '@/components/context/commands'
import { focusMessages, messagesId } from '@/components/context/focus-message'
import { useChangeChats } from '@/components/conversations/organise/use-change-chats'
import { chooseLanguage } from '@/components/language/language-button'
import type { IconName } from '@/components/ui/icon'
import { useLanguage } from '@/components/ui/use-language'
import { languages } from '@/lib/base/languages'
import { commandKeys, type PageCommand } from '@/lib/commands/command-keys'
import { chooseLook } from '@/lib/wiring/look.browser'
import { commandSentence } from '@/lib/words/commands'
import { languageNames } from '@/lib/words/language'
import { paletteEntry, type PaletteEntry } from './palette-entry'

/** What opens over the page from the palette. */
export type CommandDialog = 'organise' | 'import' | 'models' | 'log' | 'tags'

const keysOf = (command: PageCommand): { readonly keys?: string } => {
  const [keys] = (commandKeys as Partial<Record<PageCommand, readonly string[]>>)[command] ?? []
  return keys === undefined ? {} : { keys }
}

/** What stands elsewhere on the page can be done now, where its part is there. */
function pageEntries(): readonly PaletteEntry[] {
  const entry = (group: 'chat' | 'nod', command: PageCommand, icon: IconName, label: string, also = '') => {
    const run = doerOf(command)
    return run ? [paletteEntry({ id: command, group, icon, label, ...keysOf(command), run }, also)] : []
  }
  return [
    ...entry(
      'nod',
      'new-chat',
      'plus',
      commandSentence('command.do.new-chat'),
      commandSentence('command.also.new-chat'),
    ),
    ...entry('chat', 'waiting', 'wait', commandSentence('command.do.waiting'), commandSentence('command.also.waiting')),
    ...entry('chat', 'message', 'edit', commandSentence('command.do.message')),
    ...entry('chat', 'latest', 'end', commandSentence('command.do.latest')),
    ...entry('chat', 'edit-last', 'edit', commandSentence('command.do.edit-last')),
    ...entry(
      'chat',
      'settings',
      'settings',
      commandSentence('command.do.settings'),
      commandSentence('command.also.settings'),
    ),
    ...entry(
      'chat',
      'workspace',
      'panel',
      commandSentence('command.do.workspace'),
      commandSentence('command.also.workspace'),
    ),
    ...entry('chat', 'rename', 'edit', commandSentence('command.do.rename')),
    ...entry('nod', 'list', 'menu', commandSentence('command.do.list'), commandSentence('command.also.list')),
    ...entry(
      'nod',
      'shortcuts',
      'keyboard',
      commandSentence('command.do.shortcuts'),
      commandSentence('command.also.shortcuts'),
    ),
  ]
}

/** Of the chat that is open: what is done to it as a whole. */
function useChatEntries(onDialog: (dialog: CommandDialog) => void): readonly PaletteEntry[] {
  const aui = useAui()
  const actions = useChatActions()
  const { change } = useChangeChats()
  const id = useConversation((view) => view.id)
  const stored = useConversation((view) => view.phase === 'ready')
  const busy = useConversation((view) => view.run !== null || view.sending)
  const row = useChat((state) => state.conversations?.find((one) => one.id === id))
  return useMemo(() => {
    const pinned = row?.pinned === true
    const archived = row?.archived === true
    const entry = (name: string, icon: IconName, label: string, run: () => void, also = '') =>
      paletteEntry({ id: name, group: 'chat', icon, label, run }, also)
    const read = document.getElementById(messagesId)
      ? [entry('messages', 'read', commandSentence('command.do.messages'), focusMessages)]
      : []
    const stop = busy ? [entry('stop', 'cross', commandSentence('command.do.stop'), () => aui.thread.cancelRun())] : []
    if (!stored) return [...stop, ...read]
    return [
      ...stop,
      ...read,
      entry('pin', 'pin', commandSentence(pinned ? 'command.do.unpin' : 'command.do.pin'), () => {
        void change([id], { pinned: !pinned })
      }),
      entry('archive', 'folder', commandSentence(archived ? 'command.do.unarchive' : 'command.do.archive'), () => {
        void change([id], { archived: !archived })
      }),
      entry('tags', 'more', commandSentence('command.do.tags'), () => onDialog('tags')),
      entry(
        'log',
        'save',
        commandSentence('command.do.log'),
        () => onDialog('log'),
        commandSentence('command.also.log'),
      ),
      entry(
        'delete',
        'trash',
        commandSentence('command.do.delete'),
        () => void actions.remove([id]),
        commandSentence('command.also.delete'),
      ),
    ]
  }, [aui, actions, change, id, stored, busy, row, onDialog])
}

/** Everything that can be done now. `onDialog`: what opens over the page. */
export function useActionEntries(onDialog: (dialog: CommandDialog) => void): readonly PaletteEntry[] {
  const router = useRouter()
  const language = useLanguage()
  const ofChat = useChatEntries(onDialog)
  return useMemo(() => {
    const entry = (name: string, icon: IconName, label: string, run: () => void, also = '') =>
      paletteEntry({ id: name, group: 'nod', icon, label, run }, also)
    const dialog = (name: 'organise' | 'import' | 'models', icon: IconName) =>
      entry(
        name,
        icon,
        commandSentence(`command.do.${name}`),
        () => onDialog(name),
        commandSentence(`command.also.${name}`),
      )
    const page = (name: 'playground' | 'lab' | 'account', icon: IconName) =>
      entry(name, icon, commandSentence(`command.do.${name}`), () => router.push(`/${name}`))
    const theme = (name: 'system' | 'light' | 'dark') =>
      entry(
        `theme-${name}`,
        'theme',
        commandSentence(`command.do.theme-${name}`),
        () => void chooseLook({ theme: name }),
        commandSentence('command.also.theme'),
      )
    const hasAccounts = document.documentElement.dataset['account'] !== undefined
    const ofPage = pageEntries()
    return [
      // What the eye is on comes first.
      ...ofPage.filter(({ group }) => group === 'chat'),
      ...ofChat,
      ...ofPage.filter(({ group }) => group !== 'chat'),
      dialog('models', 'plug'),
      dialog('organise', 'folder'),
      dialog('import', 'upload'),
      page('playground', 'quote'),
      page('lab', 'lab'),
      ...(hasAccounts ? [page('account', 'user')] : []),
      theme('light'),
      theme('dark'),
      theme('system'),
      ...languages
        .filter((one) => one !== language)
        .map((one) =>
          entry(
            one,
            'language',
            languageNames[one],
            () => void chooseLanguage(one),
            commandSentence('command.also.language'),
          ),
        ),
    ]
  }, [ofChat, onDialog, router, language])
}
