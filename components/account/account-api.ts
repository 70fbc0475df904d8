import { withBase } from '@/lib/base/base-path'

/*
 * What the pages of accounts ask of the server. They load nothing of the chat, and show what the server says of a refusal: it
 * says the way out itself.
 */

export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string }

const unreachable = 'The server can’t be reached. Check your connection, then try again.'
const broken = 'The server did not answer as it should. Try again; nothing you typed is lost.'

export async function askAccount<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
  let response: Response
  try {
    response = await fetch(withBase(path), {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
  } catch {
    return { ok: false, message: unreachable }
  }
  const said: unknown = response.status === 204 ? {} : await response.json().catch(() => null)
  if (response.ok && said !== null) return { ok: true, value: said as T }
  const { error } = (said ?? {}) as { readonly error?: { readonly message?: string } }
  return { ok: false, message: error?.message ?? broken }
}

/** Who arrived, and what came along. */
export interface Arrived {
  readonly who: string
  readonly moved: number
  readonly waiting: number
}
