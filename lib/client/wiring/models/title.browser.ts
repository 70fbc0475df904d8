import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import type { Message } from '@/lib/shared/conversation/conversation'
import { isBrowserModel } from '@/lib/base/model-id'
import { titleRequest } from '@/lib/shared/conversation/wire/trial'
import { findApi } from '@/lib/client/wiring/find-api.browser'

/** What this page has of the chat to be named. */
export interface ChatToName {
  readonly id: string
  /** '' if this page does not know it. */
  readonly model: string
  /** The loaded part of the branch. */
  readonly path: readonly Message[]
}

/** The result of asking for a title; null: it was stopped. */
export type NameAnswer = { readonly title: string } | { readonly problem: string } | null

/** Asks the chat's model for a title: the server asks its own models, this page those of the browser. Never rejects. */
export async function nameByModel({ id, model, path }: ChatToName, signal: AbortSignal): Promise<NameAnswer> {
  if (isBrowserModel(model)) return nameInBrowser(model, path, signal)
  const answer = await findApi.suggestTitle(id, signal)
  if (signal.aborted) return null
  return answer.ok ? { title: answer.value } : { problem: answer.error.message }
}

async function nameInBrowser(model: string, path: readonly Message[], signal: AbortSignal): Promise<NameAnswer> {
  const request = titleRequest(path, model)
  if (!request) return { problem: t('list.name-nothing') }
  try {
    const [{ browserModelList, openBrowserModel }, { requestTitle }] = await Promise.all([
      loadPart(() => import('./tab-models.browser')),
      loadPart(() => import('@/lib/client/chats/tab-writer/request-title')),
    ])
    const config = await browserModelList().get(model)
    if (!config) return { problem: t('list.name-gone') }
    const asked = await requestTitle(await openBrowserModel(config), request, signal)
    switch (asked.is) {
      case 'title':
        return { title: asked.title }
      case 'none':
        return { problem: t('list.name-none') }
      case 'failed':
        return { problem: asked.why }
      case 'stopped':
        return null
    }
  } catch {
    return signal.aborted ? null : { problem: t('list.name-broke') }
  }
}
