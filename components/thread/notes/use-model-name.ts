import { useChat } from '@/components/context/chat-context'
import { isBrowserModel } from '@/lib/base/browser-model-id'
import { nameOfModel } from '@/lib/shared/conversation/wire/tab-run'

/** The name of a reply's model, used in a sentence below it. */
export function useModelName(model: string): string {
  const listed = useChat((state) => state.models?.models.find(({ id }) => id === model)?.label)
  // A browser model that is listed has a name; its id means nothing to readers.
  const plain = isBrowserModel(model) ? nameOfModel(model) : model.slice(model.indexOf('/') + 1)
  return (isBrowserModel(model) && listed) || plain
}
