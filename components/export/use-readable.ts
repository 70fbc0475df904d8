import { useCallback, useEffect, useState } from 'react'
import { pageBroke } from '@/lib/client/api/api-failure'
import type { NodApi } from '@/lib/client/api/nod-api'
import type { ReadableChat } from '@/lib/shared/conversation/readable/readable-chat'
import { readableChatOf } from '@/lib/client/wiring/readable-chat.browser'

export type Readable =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'read'; readonly chat: ReadableChat; readonly isWriting: boolean }

/** All of one chat as people read it, and the way to read it again. */
export function useReadable(
  conversationId: string,
  api: Pick<NodApi, 'exportChat'>,
): { readonly readable: Readable; readonly readAgain: () => void } {
  const [readable, setReadable] = useState<Readable>({ kind: 'reading' })
  const isReading = readable.kind === 'reading'
  useEffect(() => {
    if (!isReading) return
    const controller = new AbortController()
    const { signal } = controller
    const read = async (): Promise<Readable> => {
      const exported = await api.exportChat(conversationId, signal)
      if (!exported.ok) return { kind: 'failed', why: exported.error.message }
      const chat = await readableChatOf(exported.value)
      const last = chat.messages.at(-1)
      return { kind: 'read', chat, isWriting: last?.by === 'model' && last.ended === null }
    }
    void read()
      .catch((): Readable => ({ kind: 'failed', why: pageBroke().message }))
      .then((result) => (signal.aborted ? undefined : setReadable(result)))
    return () => controller.abort()
  }, [conversationId, api, isReading])
  const readAgain = useCallback(() => setReadable({ kind: 'reading' }), [])
  return { readable, readAgain }
}
