'use client'

import { useConversation } from '@/components/context/chat-context'
import type { ToolCallConfig } from '@/lib/shared/conversation/conversation'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'

/** The open chat's tool settings; the defaults in a chat without settings. */
export const useToolConfig = (): ToolCallConfig =>
  useConversation((view) => view.conversation?.settings.tools ?? defaultToolConfig)
