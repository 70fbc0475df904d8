import { withBase } from '@/lib/base/base-path'
import type { ApiError } from '@/lib/shared/conversation/wire/api-types'
import {
  writerHeader,
  type TabEnd,
  type TabPieces,
  type TabPrompt,
  type TabRunState,
} from '@/lib/shared/conversation/wire/tab-run'

/** What became of a request: an answer; `later`: none, or not now; `no`: never, whoever asks how often. */
export type TabAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly may: 'later' | 'no'; readonly reason: string; readonly waitMs: number }

/** What the tab that writes a reply asks of the server. Never rejects. */
export interface TabApi {
  prompt(runId: string): Promise<TabAnswer<TabPrompt>>
  pieces(runId: string, body: TabPieces): Promise<TabAnswer<TabRunState>>
  end(runId: string, body: TabEnd): Promise<TabAnswer<TabRunState>>
}

const BEAT_MS = 4_000
const PROMPT_MS = 30_000

/** `connected`: the chats' own tools that this page can carry out, as `CONVERSATION:NAME`. */
export function createTabApi(
  fetchFrom: typeof fetch,
  key: string,
  connected: () => readonly string[] = () => [],
): TabApi {
  async function ask<T>(runId: string, what: string, body?: unknown): Promise<TabAnswer<T>> {
    try {
      const response = await fetchFrom(withBase(`/api/runs/${encodeURIComponent(runId)}/${what}`), {
        method: body === undefined ? 'GET' : 'POST',
        headers: { [writerHeader]: key, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // A request that hangs would keep the next beat of the heart from going.
        signal: AbortSignal.timeout(body === undefined ? PROMPT_MS : BEAT_MS),
      })
      if (response.ok) return { ok: true, value: (await response.json()) as T }
      const seconds = Number(response.headers.get('retry-after') ?? 0)
      const { error } = (await response.json().catch(() => ({}))) as Partial<ApiError>
      const later = response.status >= 500 || response.status === 429 || response.status === 401
      const waitMs = Number.isFinite(seconds) ? seconds * 1_000 : 0
      return { ok: false, may: later ? 'later' : 'no', reason: error?.reason ?? '', waitMs }
    } catch {
      return { ok: false, may: 'later', reason: '', waitMs: 0 }
    }
  }
  return {
    prompt: (runId) => {
      const tools = new URLSearchParams(connected().map((tool) => ['connected', tool]))
      return ask(runId, tools.size === 0 ? 'prompt' : `prompt?${tools.toString()}`)
    },
    pieces: (runId, body) => ask(runId, 'pieces', body),
    end: (runId, body) => ask(runId, 'end', body),
  }
}
