import type { AllDeleted, UseView } from '@/lib/conversation/api-types'
import { withBase } from '@/lib/base/base-path'
import { err, ok } from '@/lib/base/result'
import { clientRefusal } from '@/lib/words/client'
import { brokeOff, failed, unreachable, type ApiAnswer } from './api-failure'

/** What was used and kept, and the end of it: beside `nod-api.ts`, since only the settings ask. No method rejects. */
export interface UseApi {
  use(): Promise<ApiAnswer<UseView>>
  deleteAll(): Promise<ApiAnswer<AllDeleted>>
}

export function createUseApi(fetchFrom: typeof fetch): UseApi {
  async function ask<T>(method: string): Promise<ApiAnswer<T>> {
    let response: Response
    try {
      response = await fetchFrom(withBase('/api/use'), { method })
    } catch {
      return unreachable()
    }
    const body: unknown = await response.json().catch(() => null)
    if (response.ok) return body === null ? brokeOff(response.status) : ok(body as T)
    const said = body as { readonly error?: { readonly message?: unknown } } | null
    const refused = failed('bad-answer', response.status, clientRefusal('client.refused', { status: response.status }))
    const message = said?.error?.message
    if (refused.ok || typeof message !== 'string') return refused
    return err({ ...refused.error, message })
  }
  return { use: () => ask('GET'), deleteAll: () => ask('DELETE') }
}
