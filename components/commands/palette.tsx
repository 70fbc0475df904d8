'use client'

import { useDeferredValue, useMemo, useState, useEffect } from 'react'
import { useChat, useChatActions, useConversation, useClientStore } from '@/components/context/chat-context'
import { t } from '@/lib/i18n/t'
import { type CommandDialog, type PaletteEntry, paletteEntry, chatEntry, foundMessages } from './palette-entry'
import { PaletteDialog, useServerFinds, type ServerFinds } from './palette-dialog'
import { useActionEntries, useAppearanceEntries, useNavigationEntries } from './use-action-entries'
import { focusMessage, mayTakeFocus, requestOpenFile } from '@/components/context/show-in-page'
import { usePresets, useStartChat } from '@/components/presets/use-presets'
import { modelLabel, providerName } from '@/lib/i18n/model-label'
import type { ConversationSettings } from '@/lib/shared/conversation/conversation'
import { viewOf } from '@/lib/client/state/open-conversations'
import { strategyIds } from '@/lib/protocols/types/tool-context-def'
import { useToolRuntime } from '@/components/context/tool-runtime-context'
import { nameOf, parentOf } from '@/lib/vfs/path'
import type { VfsTreeEntry } from '@/lib/vfs/vfs'
import { ownFolder } from '@/lib/client/files/tree/tree-rows'

interface Files {
  readonly paths: readonly string[] | null
  readonly problem: string | null
}

const unknown: Files = { paths: null, problem: null }
const isFile = ({ kind, path }: VfsTreeEntry): boolean => kind === 'file' && !path.startsWith(`${ownFolder}/`)

interface FileEntries {
  readonly entries: readonly PaletteEntry[]
  readonly isReading: boolean
  readonly problem: string | null
}

/** The files of the open chat, once something is typed; the file store loads with the first search. */
function useFileEntries(isWanted: boolean): FileEntries {
  const runtimeOf = useToolRuntime()
  const conversationId = useConversation((view) => view.id)
  const isHere = useConversation((view) => view.phase === 'ready' || view.phase === 'new')
  const [{ paths, problem }, setFiles] = useState(unknown)
  const asks = isWanted && isHere
  useEffect(() => {
    if (!asks) return
    let wanted = true
    const read = async () => {
      const { vfs } = await runtimeOf(conversationId)
      const tree = await vfs.tree('/')
      if (!wanted) return
      setFiles(
        tree.ok
          ? { paths: tree.value.filter(isFile).map(({ path }) => path), problem: null }
          : { paths: [], problem: t('command.no-files', { why: tree.error.message }) },
      )
    }
    read().catch(() => wanted && setFiles({ paths: [], problem: t('command.no-files-here') }))
    return () => {
      wanted = false
    }
  }, [asks, runtimeOf, conversationId])
  const entries = useMemo(() => {
    const group = t('command.group.files')
    return (paths ?? []).map((path) =>
      paletteEntry(
        {
          id: `file ${path}`,
          group: 'files',
          icon: 'read',
          label: nameOf(path),
          written: 'name',
          beside: parentOf(path),
          run: () => requestOpenFile({ conversationId, path }),
        },
        group,
      ),
    )
  }, [paths, conversationId])
  return { entries, isReading: asks && paths === null, problem }
}

/** The models and call formats for the open chat. A choice is stored as in its settings. */
function useChoiceEntries(): readonly PaletteEntry[] {
  const store = useClientStore()
  const { updateSettings } = useChatActions()
  const models = useChat((state) => state.models?.models)
  const model = useConversation((view) => view.conversation?.settings.model)
  const strategy = useConversation((view) => view.conversation?.settings.strategy)
  return useMemo(() => {
    const change = (patch: Partial<ConversationSettings>) => {
      const settings = viewOf(store.getState()).conversation?.settings
      // If it can't be stored, the old value is restored and an error shown above the message field.
      if (settings) void updateSettings({ ...settings, ...patch })
    }
    if (model === undefined) return []
    const groups = {
      models: t('command.group.models'),
      formats: t('command.group.formats'),
    }
    return [
      ...(models ?? []).map((one) =>
        paletteEntry(
          {
            id: `model ${one.id}`,
            group: 'models',
            icon: 'plug',
            label: modelLabel(one),
            written: 'name',
            beside: providerName(one),
            now: one.id === model,
            run: () => change({ model: one.id }),
          },
          groups.models,
        ),
      ),
      ...strategyIds.map((id) =>
        paletteEntry(
          {
            id: `format ${id}`,
            group: 'formats',
            icon: 'quote',
            label: id,
            now: id === strategy,
            run: () => change({ strategy: id }),
          },
          groups.formats,
        ),
      ),
    ]
  }, [store, updateSettings, models, model, strategy])
}

/** A new chat with each preset. */
function usePresetEntries(): readonly PaletteEntry[] {
  const { presets } = usePresets()
  const begin = useStartChat()
  return useMemo(() => {
    const group = t('command.group.presets')
    return (presets ?? [])
      .filter(({ setup }) => setup !== null)
      .map((preset) =>
        paletteEntry(
          {
            id: `preset ${preset.id}`,
            group: 'presets',
            icon: 'plus',
            label: preset.name,
            written: 'prose',
            run: () => begin(preset),
          },
          group,
        ),
      )
  }, [presets, begin])
}

/**
 * Chats from the list and the server, and messages from the server. Without a query: the list's other chats, newest
 * first.
 */
function useFoundEntries(isTyped: boolean, finds: ServerFinds): readonly PaletteEntry[] {
  const actions = useChatActions()
  const listed = useChat((state) => state.conversations)
  const shown = useConversation((view) => view.id)
  const { chats, messages } = finds
  return useMemo(() => {
    const rows = new Map([...(listed ?? []), ...chats].map((row) => [row.id, row]))
    rows.delete(shown)
    const newest = [...rows.values()].toSorted((one, other) => other.updatedAt - one.updatedAt)
    const found = newest.map((row) =>
      chatEntry(row, isTyped ? 'chats' : 'recent', () => {
        actions.open(row.id)
        if (mayTakeFocus()) focusMessage()
      }),
    )
    return [...found, ...foundMessages(messages, actions.open)]
  }, [actions, listed, chats, messages, shown, isTyped])
}

export interface PaletteProps {
  readonly onClose: () => void
  readonly onDialog: (dialog: CommandDialog) => void
}

/** The palette in the chat: finds and runs every command. */
export function Palette({ onClose, onDialog }: PaletteProps) {
  const [typed, setTyped] = useState('')
  // Typing never waits for the list.
  const wanted = useDeferredValue(typed)
  const isTyped = wanted.trim() !== ''
  const online = useChat((state) => state.online)
  const finds = useServerFinds(wanted, online)
  const files = useFileEntries(isTyped)
  const actions = useActionEntries(onDialog)
  const found = useFoundEntries(isTyped, finds)
  const choices = useChoiceEntries()
  const presets = usePresetEntries()
  const places = useNavigationEntries()
  const looks = useAppearanceEntries()
  const entries = useMemo(
    () => [
      ...(isTyped ? [] : found),
      ...actions,
      ...looks,
      ...places,
      ...presets,
      ...(isTyped ? found : []),
      ...choices,
      ...files.entries,
    ],
    [actions, looks, places, presets, found, choices, files.entries, isTyped],
  )
  return (
    <PaletteDialog
      label={t('command.look-for')}
      typed={typed}
      onType={setTyped}
      wanted={wanted}
      entries={entries}
      waits={[files.isReading ? t('command.reading-files') : null, finds.isLooking ? t('command.looking') : null]}
      problems={[finds.problem && t('command.not-searched', { why: finds.problem }), files.problem]}
      onClose={onClose}
    />
  )
}
