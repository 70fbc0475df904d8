import { useChat, useConversation } from '@/components/context/chat-context'
import { seesImages } from '@/lib/shared/models/sees-images'

/** Whether the model of the open chat is sent images; null: its models are not listed yet. */
export function useSeesImages(): boolean | null {
  const settings = useConversation((view) => view.conversation?.settings ?? null)
  const models = useChat((state) => state.models?.models ?? null)
  if (!settings || !models) return null
  return seesImages(
    settings,
    models.find(({ id }) => id === settings.model),
  )
}
