import {
  tabRunLimits,
  type TabPiece,
  writerHeader,
  type TabEnd,
  type TabPieces,
  type TabPrompt,
  type TabRunState,
} from '@/lib/shared/conversation/wire/tab-run'
import { withBase } from '@/lib/base/base-path'
import type { ApiError } from '@/lib/shared/conversation/wire/api-types'

/** A model's reply as numbered pieces. A piece never changes once it was returned. */
export interface ReplyPieces {
  readonly add: (channel: TabPiece['channel'], text: string) => void
  /** The pieces that the server lacks, as many as fit in one request; the same again until `taken` is called. */
  waiting(): readonly TabPiece[]
  /** The server expects this piece next. */
  taken(next: number): void
  /** Nothing more is added: a half character at the end becomes a replacement character. */
  close(): void
  /** The number of the last piece; 1: there was none. */
  readonly lastSeq: number
  /** The server has all pieces. */
  readonly isTaken: boolean
}

/** At most about a megabyte of JSON, whatever the characters. */
const MAX_REQUEST_CHARS = 128 * 1024

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

export function createReplyPieces(): ReplyPieces {
  /** Pieces from 2 on. They are kept to the end, because the server may turn out to lack some. */
  const sealed: TabPiece[] = []
  let open: { channel: TabPiece['channel']; text: string }[] = []
  let next = 2
  const lastSeq = () => sealed.length + 1

  /** The halves of a surrogate pair may arrive one after the other, in two parts of the stream. */
  function seal(isEnd: boolean): void {
    const last = open.length - 1
    const held = open.map(({ text }, at) =>
      at === last && !isEnd && isHigh(text.charCodeAt(text.length - 1)) ? text.slice(-1) : '',
    )
    for (const [at, { channel, text }] of open.entries()) {
      const whole = text.slice(0, text.length - (held[at]?.length ?? 0)).toWellFormed()
      for (const part of cut(whole)) sealed.push({ seq: lastSeq() + 1, channel, text: part })
    }
    open = open.flatMap(({ channel }, at) => (held[at] ? [{ channel, text: held[at] }] : []))
  }

  return {
    add(channel, text) {
      if (text === '') return
      const last = open.at(-1)
      if (last?.channel === channel) last.text += text
      else open.push({ channel, text })
    },
    waiting() {
      if (next > lastSeq()) seal(false)
      const some: TabPiece[] = []
      let chars = 0
      for (const piece of sealed.slice(next - 2, next - 2 + tabRunLimits.maxPieces)) {
        chars += piece.text.length
        if (some.length > 0 && chars > MAX_REQUEST_CHARS) break
        some.push(piece)
      }
      return some
    },
    taken(from) {
      next = from
    },
    close: () => seal(true),
    get lastSeq() {
      return lastSeq()
    },
    get isTaken() {
      return open.length === 0 && next > lastSeq()
    },
  }
}

/** Cuts the text into parts of at most this many characters, and never inside a surrogate pair. */
function cut(text: string): readonly string[] {
  const parts: string[] = []
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + tabRunLimits.maxPieceChars, text.length)
    if (to < text.length && isHigh(text.charCodeAt(to - 1))) to -= 1
    parts.push(text.slice(from, to))
    from = to
  }
  return parts
}

/** The result of a request: a response; `later`: no response, or not now; `no`: never, however often it is repeated. */
export type TabAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly may: 'later' | 'no'; readonly reason: string; readonly waitMs: number }

/** The requests of the tab that writes a reply. Never rejects. */
export interface TabApi {
  prompt(runId: string): Promise<TabAnswer<TabPrompt>>
  pieces(runId: string, body: TabPieces): Promise<TabAnswer<TabRunState>>
  end(runId: string, body: TabEnd): Promise<TabAnswer<TabRunState>>
}

const BEAT_MS = 4_000
const PROMPT_MS = 30_000

/** `connected`: the chats' own tools that this page can run, as `CONVERSATION:NAME`. */
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
        // A hanging request would delay the next heartbeat.
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
