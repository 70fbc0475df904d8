'use client'

import { useThread } from '@/components/assistant-ui/thread-runtime-ref'
import { useMemo } from 'react'
import { useChat, useChatActions, useConversation } from '@/components/context/chat-context'
import { getCommandHandler } from '@/components/context/commands'
import { focusMessages, messagesId } from '@/components/context/focus-message'
import { useChangeChats } from '@/components/conversations/organise/use-change-chats'
import type { IconName } from '@/components/ui/icon'
import { commandKeys, type PageCommand } from '@/lib/client/commands/command-keys'
import { isPastedModel } from '@/lib/shared/conversation/wire/tab-run'
import { t } from '@/lib/i18n/t'
import { chatDialogs, nodDialogs, pageActions, type CommandDialog } from './action-table'
import { paletteEntry, type PaletteEntry } from './palette-entry'

const keysOf = (command: PageCommand): { readonly keys?: string } => {
  const [keys] = (commandKeys as Partial<Record<PageCommand, readonly string[]>>)[command] ?? []
  return keys === undefined ? {} : { keys }
}

const namesOf = <T extends object>(table: T) => Object.keys(table) as (keyof T)[]

/** What stands elsewhere on the page and can be done now, where its part is there. */
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

/** Parts of the settings of the open chat, by their address. */
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

/** Of the chat that is open: what is done to it as a whole. */
function useChatEntries(onDialog: (dialog: CommandDialog) => void): readonly PaletteEntry[] {
  const { stop: stopRun } = useThread()
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
        // Nobody is asked for a name where a person is the way to the model.
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

/** Everything that can be done now in the chat. `onDialog`: what opens over the page. */
export function useActionEntries(onDialog: (dialog: CommandDialog) => void): readonly PaletteEntry[] {
  const hasSettings = useConversation((view) => view.conversation !== null)
  const ofChat = useChatEntries(onDialog)
  return useMemo(() => {
    const ofPage = pageEntries()
    return [
      // What the eye is on comes first.
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
