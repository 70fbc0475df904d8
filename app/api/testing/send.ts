import { expect } from 'vitest'
import type { ApiError } from '@/lib/shared/conversation/wire/api-types'
import { pageTextOfRefusal } from '@/lib/i18n/stored-text'

export type Handler = (request: Request, context: { params: Promise<unknown> }) => Promise<Response>

export interface Sent {
  readonly method?: string
  readonly path?: string
  readonly params?: Record<string, string>
  /** null for none. */
  readonly cookie?: string | null
  readonly headers?: Record<string, string>
  readonly body?: unknown
  readonly raw?: BodyInit
}

/** Calls a route's handler as Next does. */
export function sendTo(handler: Handler, sent: Sent & { readonly cookie: string | null }): Promise<Response> {
  const { method = 'GET', path = '/api', params = {}, cookie, headers = {}, body, raw } = sent
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const request = new Request(`http://localhost:3000${path}`, {
    method,
    headers: {
      ...(cookie !== null && { cookie }),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload !== undefined && { body: payload, duplex: 'half' }),
  })
  return handler(request, { params: Promise.resolve(params) })
}

/** A parsed refusal. Its reason and values alone are enough for a page to show a message. */
export async function problem(response: Promise<Response>): Promise<ApiError['error'] & { readonly status: number }> {
  const answer = await response
  const { error } = (await answer.json()) as ApiError
  expect(await pageTextOfRefusal(error.reason, error.values)).toBe(error.message)
  return { status: answer.status, ...error }
}
