import { isRecord } from '@/lib/base/is-record'

/** What went wrong in the body of a reply, as data: `readFailure` knows it by its `type`. */
export interface BodyError {
  readonly type: string
  readonly message: string
  readonly code?: string | number
}

/** The body is no reply; `text`: its beginning. */
export const notAReply = (text: string, isPage: boolean): BodyError => ({
  type: isPage ? 'web_page' : 'not_a_reply',
  message: text.trim() === '' ? 'the answer was empty' : text.trim(),
})

/** The body ended before the reply did; `other`: what came that was no part of it. */
export const endedEarly = (other: string): BodyError => ({
  type: 'broke_off',
  message: `the answer ended without a finish reason${other.trim() === '' ? '' : `\n${other.trim()}`}`,
})

/** An error that the server reported inside the reply, in one of the many forms that servers have. */
export function reportedError(value: unknown): BodyError {
  const said = isRecord(value) && isRecord(value['error']) ? value['error'] : value
  if (!isRecord(said)) return { type: 'stream_error', message: wordsOf(said) }
  const { code, status, type, metadata } = said
  const words = wordsOf(said['message'] ?? said['msg'] ?? said['error'] ?? said['detail'] ?? said)
  // OpenRouter: the words of the server behind it.
  const behind = isRecord(metadata) && typeof metadata['raw'] === 'string' ? `\n${metadata['raw']}` : ''
  const kind = code ?? status
  return {
    type: typeof type === 'string' && /^[a-z_]+_error$/.test(type) ? type : 'stream_error',
    message: words + behind,
    ...((typeof kind === 'string' || typeof kind === 'number') && { code: kind }),
  }
}

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
