import type { Conversation, ToolCallConfig } from '@/lib/conversation/conversation'
import { defaultToolConfig } from '@/lib/conversation/tool-config'
import type { FileReview } from '@/lib/tools/tool-runtime'

/** A chat whose head is the one reply. */
export const conversationWith = (id: string, headId: string, tools: Partial<ToolCallConfig>): Conversation => ({
  id,
  title: 'Test',
  settings: {
    version: 4,
    model: 'demo/demo',
    strategy: 'JSON_Strict',
    systemPrompt: '',
    tools: { ...defaultToolConfig, ...tools },
  },
  settingsProblem: null,
  headId,
  createdAt: 1,
  updatedAt: 1,
})

/** A file that the code of a slot made. */
export const reviewOf = (slot: number): FileReview => ({
  changes: [{ path: `/out-${slot}`, change: 'created', kind: 'file', size: 1 }],
  total: 1,
  texts: () => Promise.resolve({ before: null, after: 'x' }),
})
