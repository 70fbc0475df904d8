import { withBase } from '@/lib/base/base-path'
import { takeWordsAlong } from '@/lib/client/take-words-along'

/** Words that were typed or sent here before go along; then the page is another's, made anew. */
export function goIn(who: string, next: string): void {
  try {
    takeWordsAlong(window.localStorage, who)
  } catch {
    // The browser keeps nothing, or has no room: what is left stays where it was.
  }
  tellOtherTabs()
  window.location.replace(withBase(next))
}

/** Tabs that show the chat ask the server who they are, and leave where they are somebody else's now. */
export function tellOtherTabs(): void {
  const channel = new BroadcastChannel('nod:conversations')
  channel.postMessage({ conversationId: null })
  channel.close()
}
