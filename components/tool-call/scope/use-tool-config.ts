'use client'

import { useConversation } from '@/components/context/chat-context'
import type { ToolCallConfig } from '@/lib/shared/conversation/conversation'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'

/** What the open chat allows its tools; the defaults in a chat that has no settings yet. */
export const useToolConfig = (): ToolCallConfig =>
  useConversation((view) => view.conversation?.settings.tools ?? defaultToolConfig)
