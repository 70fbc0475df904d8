import { useChat } from '@/components/context/chat-context'
import { isBrowserModel } from '@/lib/base/browser-model-id'
import { nameOfModel } from '@/lib/shared/conversation/wire/tab-run'

/** What the model of a reply is called in a sentence below it. */
export function useModelName(model: string): string {
  const listed = useChat((state) => state.models?.models.find(({ id }) => id === model)?.label)
  // What is listed of this browser has a name of its own; an id says nothing of it.
  const plain = isBrowserModel(model) ? nameOfModel(model) : model.slice(model.indexOf('/') + 1)
  return (isBrowserModel(model) && listed) || plain
}
