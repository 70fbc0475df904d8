'use client'

import { useMemo } from 'react'
import { modelLabel, providerName } from '@/lib/i18n/model-label'
import { t } from '@/lib/i18n/t'
import { useChat, useChatActions, useClientStore, useConversation } from '@/components/context/chat-context'
import type { ConversationSettings } from '@/lib/conversation/conversation'
import { viewOf } from '@/lib/client/open-conversations'
import { strategyIds } from '@/lib/strategies/tool-context-def'
import { paletteEntry, type PaletteEntry } from './palette-entry'

/** The models and call formats that the open chat could have; choosing one is stored as in its settings. */
export function useChoiceEntries(): readonly PaletteEntry[] {
  const store = useClientStore()
  const { updateSettings } = useChatActions()
  const models = useChat((state) => state.models?.models)
  const model = useConversation((view) => view.conversation?.settings.model)
  const strategy = useConversation((view) => view.conversation?.settings.strategy)
  return useMemo(() => {
    const change = (patch: Partial<ConversationSettings>) => {
      const settings = viewOf(store.getState()).conversation?.settings
      // What can't be stored is put back, and said above the message field.
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
